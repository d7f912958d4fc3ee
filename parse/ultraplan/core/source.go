package core

// Source reads the files of one project. Values are shared and must not be changed. A file that can't be read is like an empty one.
type Source interface {
	State(file string) (s *State, exists bool)
	Roadmap() *Roadmap
	Session() *Session // nil without one
	Retries() *Retries // nil without one
	Resume() *Resume   // nil without one
	Plan(file string) *PlanDoc
	Front(file string) *Front
	Summary(file string) *SummaryDoc
	Log(file string) *Log     // nil if it is gone
	Daily(date string) *Daily // nil without one
	// List calls add with the names in a directory; ok is false if it can't be listed in full.
	List(dir string, add func(name string)) (ok bool)
}

// texts is a [Source] of texts.
type texts struct {
	plan *[2]string // the plan read last: its front and its tasks are asked for one after the other
	read func(file string) (text string, exists bool)
	list func(dir string, add func(name string)) bool
}

// Texts returns a source that parses each text when it is asked for.
func Texts(read func(file string) (text string, exists bool), list func(dir string, add func(name string)) (ok bool)) Source {
	return texts{new([2]string), read, list}
}

func (s texts) readText(file string) string {
	text, _ := s.read(file)
	return text
}

func (s texts) State(file string) (*State, bool) {
	text, exists := s.read(file)
	return parseState(text, true), exists
}

func (s texts) Session() (session *Session) {
	if text := s.readText(SessionFile); text != "" {
		session, _ = ParseSession(text)
	}
	return session
}

func (s texts) Retries() (r *Retries) {
	if text := s.readText(RetriesFile); text != "" {
		r, _ = ParseRetries(text)
	}
	return r
}

func (s texts) Resume() *Resume {
	text, exists := s.read(ResumeFile)
	if !exists {
		return nil
	}
	return ParseResume(text)
}

func (s texts) planText(file string) string {
	if s.plan[0] != file {
		*s.plan = [2]string{file, s.readText(file)}
	}
	return s.plan[1]
}

func (s texts) Roadmap() *Roadmap               { return ParseRoadmap(s.readText(RoadmapFile)) }
func (s texts) Plan(file string) *PlanDoc       { return ParsePlan(s.planText(file)) }
func (s texts) Front(file string) *Front        { return ParseFront(s.planText(file)) }
func (s texts) Summary(file string) *SummaryDoc { return ParseSummary(s.readText(file)) }

func (s texts) Log(file string) *Log {
	text, exists := s.read(file)
	if !exists {
		return nil
	}
	return ParseLog(text)
}

func (s texts) Daily(date string) *Daily {
	text, exists := s.read(SummaryFile(date))
	if !exists {
		return nil
	}
	d, _ := ParseDaily(text, date)
	return d
}

func (s texts) List(dir string, add func(name string)) bool { return s.list(dir, add) }

package core

import "gatehouse/parse/doc"

// Source reads the files of one project. Values are shared and must not be changed.
type Source interface {
	// Read returns a parsed file, nil if it can't be read.
	Read(file string, parse Parser) (value any, exists bool)
	// List calls add with the names in a directory; ok is false if it can't be listed in full.
	List(dir string, add func(name string)) (ok bool)
}

// Parser parses the text of a file. The value depends only on the text, and is nil if nothing can be read.
type Parser func(text string) (value any, fault *Fault)

// Fault is why a file, or a part of it, can't be read.
type Fault struct {
	Text    string
	Line    int              // 0 if unknown
	At      int              // offset, if the line is 0; -1 for the whole file
	Syntax  *doc.SyntaxError // of JSON, instead of a text
	IsMinor bool             // only a part of the file is lost
}

// texts is a [Source] that reads texts through a function.
type texts struct {
	read func(file string) (text string, exists bool)
	list func(dir string, add func(name string)) bool
}

// Texts returns a source that parses each text when it is asked for.
func Texts(read func(file string) (text string, exists bool), list func(dir string, add func(name string)) (ok bool)) Source {
	return texts{read: read, list: list}
}

func (s texts) Read(file string, parse Parser) (value any, exists bool) {
	text, exists := s.read(file)
	if exists {
		value, _ = parse(text)
	}
	return value, exists
}

func (s texts) List(dir string, add func(name string)) bool { return s.list(dir, add) }

// readAs reads a file of a kind, nil if it can't be read.
func readAs[T any](s Source, file string, parse Parser) (value *T, exists bool) {
	v, exists := s.Read(file, parse)
	value, _ = v.(*T)
	return value, exists
}

// maxJSON limits a file of JSON.
const maxJSON = 1 << 20

// parseJSON parses the text of a JSON file. A value may come with the first of its problems as a minor fault.
func parseJSON[T any](text string, parse func(text string) (*T, *doc.SyntaxError), problems func(*T) []doc.Problem) (any, *Fault) {
	if len(text) > maxJSON {
		return nil, &Fault{Text: "this is more than 1 MiB of JSON, which is not read", Line: 1}
	}
	value, syntax := parse(text)
	if syntax != nil {
		return nil, &Fault{Syntax: syntax}
	}
	if all := problems(value); len(all) > 0 {
		return value, &Fault{Text: all[0].Text, At: all[0].At, IsMinor: true}
	}
	return value, nil
}

// The parsers are functions, because variables would be initialized at each start of the prompt.
func parseRoadmap(text string) (any, *Fault) { return ParseRoadmap(text), nil }
func parseResume(text string) (any, *Fault)  { return ParseResume(text), nil }
func parseSummary(text string) (any, *Fault) { return ParseSummary(text), nil }
func parseSession(text string) (any, *Fault) {
	return parseJSON(text, ParseSession, func(s *Session) []doc.Problem { return s.Problems })
}
func parseRetries(text string) (any, *Fault) {
	return parseJSON(text, ParseRetries, func(r *Retries) []doc.Problem { return r.Problems })
}

// LogParser parses a log.
func LogParser(text string) (any, *Fault) { return ParseLog(text), nil }

func parseState(text string) (any, *Fault) { return ParseState(text), findUnclosed(text) }

// findUnclosed returns the fault of a document whose frontmatter has no end, as in a file that is being written.
func findUnclosed(text string) *Fault {
	if doc.SplitFrontmatter(text).Unclosed {
		return &Fault{Text: "the frontmatter has no end", Line: 1}
	}
	return nil
}

// PlanParser parses a PLAN.md.
func PlanParser(text string) (any, *Fault) {
	p := ParsePlan(text)
	switch fault := findUnclosed(text); {
	case fault != nil:
		return p, fault
	case len(p.Problems) > 0:
		return p, &Fault{Text: "the frontmatter: " + p.Problems[0].Text, Line: p.Problems[0].Line, IsMinor: true}
	case p.IsCut:
		return p, &Fault{Text: "it has too many tasks or criteria; the rest is left out", At: -1, IsMinor: true}
	}
	return p, nil
}

// PlanDoc reads a PLAN.md, nil if it can't be read.
func (p *Project) PlanDoc(file string) *PlanDoc {
	d, _ := readAs[PlanDoc](p.Source, file, PlanParser)
	return d
}

// Summary reads a SUMMARY.md. One that can't be read closes its plan, too.
func (p *Project) Summary(file string) *SummaryDoc {
	if d, _ := readAs[SummaryDoc](p.Source, file, parseSummary); d != nil {
		return d
	}
	return &SummaryDoc{}
}

// ReadLog reads the log of a result, nil if it is missing.
func (p *Project) ReadLog(file string) *Log {
	l, exists := readAs[Log](p.Source, file, LogParser)
	if exists && l == nil {
		return &Log{Lacks: "it can't be read"}
	}
	return l
}

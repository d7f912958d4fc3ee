package core

import (
	"gatehouse/parse/doc"
)

// Note is a file about work that has stopped.
type Note struct {
	Status, Phase, Since string // as written

	File     string
	Modified int64  // of the file
	Stale    string // why it is out of date; "" while it is current
}

// Signal is a WAITING.json: an agent has stopped and asks. The agent should delete it when it continues.
type Signal struct {
	Note
	Kind     string
	Question string
	Options  []string
}

// maxSideFile limits the size of JSON files next to the state, in bytes. Real ones have some KiB.
const maxSideFile = 1 << 20

// parseJSON parses a JSON object. A file with null is an empty one.
func parseJSON(text string) (object doc.Value, err error) {
	if len(text) > maxSideFile {
		return object, &ParseError{Line: 1, Text: "more than 1 MiB of JSON; the file is ignored"}
	}
	tree, syntax := doc.ParseJSON(text)
	if syntax != nil {
		e := &ParseError{Text: "not valid JSON: " + syntax.Reason}
		if syntax.Truncated {
			e.Text = "the JSON ends too early"
		}
		e.Line, e.Col = doc.IndexLines(text).Position(syntax.At)
		return object, e
	}
	if root := tree.Root(); root.Is(doc.Map) || root.Is(doc.Null) {
		return root, nil
	}
	return object, &ParseError{Line: 1, Text: "this is not a JSON object"}
}

// ParseSignal parses a WAITING.json.
func ParseSignal(text string) (*Signal, error) {
	o, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	s := &Signal{Note: newNote(o, "since"), Kind: o.Get("type").Scalar()}
	if s.Question = o.Get("question").Scalar(); o.Get("question").Is(doc.Map) {
		s.Question = doc.FirstText(o.Get("question", "text"), o.Get("question", "question"), o.Get("question", "label"))
	}
	for v := range listOf(o.Get("options")) {
		if text := doc.FirstText(v, v.Get("label")); text != "" {
			s.Options = append(s.Options, text)
		}
	}
	return s, nil
}

// newNote returns what a JSON file says about work that has stopped; the key is that of its time.
func newNote(o doc.Value, since string) Note {
	return Note{Status: o.Get("status").Scalar(), Phase: o.Get("phase").Scalar(), Since: o.Get(since).Scalar()}
}

// listOf iterates over a list. A text, a number or an object alone is a list of one.
func listOf(v doc.Value) func(yield func(doc.Value) bool) {
	if v.Is(doc.List) {
		return v.Children()
	}
	return func(yield func(doc.Value) bool) {
		if !v.IsEmpty() && !v.Is(doc.Bool) {
			yield(v)
		}
	}
}

// HandOff is a HANDOFF.json: work was paused on purpose, with the remaining tasks.
type HandOff struct {
	Note
	Reason   string
	Blockers []HandOffItem
	Actions  []HandOffItem // for a human
}

// HandOffItem is a blocker or an action of a hand-off.
type HandOffItem struct {
	Text, Context, Kind string
	IsBlocking          bool
}

// IsOver reports whether the work was taken up again.
func (h *HandOff) IsOver() bool {
	return isOneOf(doc.Lower(h.Status), "completed", "complete", "done", "resumed", "resolved")
}

// ParseHandOff parses a HANDOFF.json.
func ParseHandOff(text string) (*HandOff, error) {
	o, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	h := &HandOff{Note: newNote(o, "timestamp"), Reason: o.Get("context_notes").Scalar()}
	for v := range listOf(o.Get("blockers")) {
		if text := doc.FirstText(v, v.Get("description"), v.Get("text"), v.Get("reason")); text != "" {
			h.Blockers = append(h.Blockers, HandOffItem{Text: text, Kind: v.Get("type").Scalar()})
		}
	}
	for v := range listOf(o.Get("human_actions_pending")) {
		text := doc.FirstText(v, v.Get("action"), v.Get("description"), v.Get("context"))
		isBlocking, _ := v.Get("blocking").Bool()
		if isVisible(text) && !isAnswered(v.Get("status").Text()) {
			h.Actions = append(h.Actions, HandOffItem{Text: text, Context: v.Get("context").Scalar(), IsBlocking: isBlocking})
		}
	}
	h.Blockers, err = limitEntries(h.Blockers, maxEntries, "blockers", err)
	h.Actions, err = limitEntries(h.Actions, maxEntries, "things for a human to do", err)
	return h, err
}

// isAnswered reports whether a status means that a request to a human is over. An unknown word must not hide a
// question.
func isAnswered(status string) bool {
	return isOneOf(Normalize(status), "answered", "resolved", "done", "complete", "completed", "closed", "cancelled", "canceled", "resumed", "idle", "none", "not_waiting",
		"dismissed", "expired", "received", "inactive", "cleared")
}

// Continue is a .continue-here.md: the point at which work stopped in a phase.
type Continue struct {
	Note
	Task string
}

// IsContinue reports whether a file is a note to continue.
func IsContinue(name string) bool {
	return doc.HasPrefix(name, ".continue-here") && doc.HasSuffix(name, ".md")
}

// ParseContinue parses a .continue-here.md.
func ParseContinue(text string) (*Continue, error) {
	d, err := ParseDocument(text, "phase", "task", "status", "last_updated")
	return &Continue{Note{Status: d.Field("status"), Phase: d.Field("phase"), Since: d.Field("last_updated")}, d.Field("task")}, err
}

// Config holds the project settings of config.json.
type Config struct {
	Verifies       bool // phases are verified after execution
	IsCompact      bool // the line is compact
	showsFreshness bool
	hasSubRepos    bool
}

// ParseConfig parses a config.json. A broken file has the defaults.
func ParseConfig(text string) (*Config, error) {
	c := &Config{Verifies: true}
	o, err := parseJSON(cutPrefix(text, doc.ByteOrderMark))
	if err != nil {
		return c, err
	}
	if verifies, ok := o.Get("workflow", "verifier").Bool(); ok {
		c.Verifies = verifies
	}
	setting := func(section, key string) doc.Value { // the flat key "section.key" comes before the nested one
		if flat := o.Get(section + "." + key); flat.Exists() {
			return flat
		}
		return o.Get(section, key)
	}
	c.IsCompact = setting("statusline", "state_format").Text() == "compact"
	c.showsFreshness, _ = setting("statusline", "show_state_freshness").Bool()
	repos := setting("planning", "sub_repos")
	if repos.IsEmpty() {
		repos = o.Get("sub_repos")
	}
	c.hasSubRepos = repos.Len() > 0
	return c, nil
}

// FreshnessStamp returns the commit that STATE.md was written at if the project wants the age of its state to be shown and the commit
// can tell it, else "". head is the frontmatter's state_head. In a workspace of several repositories no HEAD can tell the age.
func (c *Config) FreshnessStamp(head string) string {
	stamp := trimSpace(head)
	if len(stamp) < 4 || len(stamp) > 40 || trim(stamp, "0123456789abcdefABCDEF") != "" || !c.showsFreshness || c.hasSubRepos {
		return ""
	}
	return stamp
}

// QuestionText returns the agent's question.
func (s *Signal) QuestionText() string {
	if isVisible(s.Question) {
		return doc.Trim(s.Question)
	}
	return "an answer"
}

// What an agent tells a status line on standard input.

package statusline

import (
	"gatehouse/parse/text/scan"
)

// Agent is what a coding agent says about its session. Every field is optional: what is absent, null or of another type
// than expected is "" or not known.
type Agent struct {
	Model      string // model.display_name
	Dir        string // workspace.current_dir
	Session    string // session_id
	Transcript string // transcript_path
	Context    Context
	session    [fieldCount - fieldName]string // the values from fieldName on, see sessionParts
}

// Context is how full an agent's context window is.
type Context struct {
	// Remaining is how many percent of the window are free, and Known says that the agent told it.
	Remaining float64
	Known     bool
	// Share is how many percent of the window are used, in the agent's own words, and Shared says that it told it.
	Share  float64
	Shared bool
	// Total is the size of the window in tokens, 0 when it is not known.
	Total float64
	// Used is how many tokens the last request took, all kinds together.
	Used float64
}

// The fields of the input that are looked for, in the order of agentPaths.
const (
	fieldModel = iota
	fieldDir
	fieldSession
	fieldTranscript
	fieldRemaining
	fieldShare
	fieldTotal
	fieldUsed // and the three after it
	fieldName = iota + 3
	fieldEffort
	fieldWorktree
	fieldPR
	fieldReview
	fieldCost
	fieldLimits // and the three after it
	fieldCount  = fieldLimits + 4
)

var agentPaths = [fieldCount][]string{
	{"model", "display_name"},
	{"workspace", "current_dir"},
	{"session_id"},
	{"transcript_path"},
	{"context_window", "remaining_percentage"},
	{"context_window", "used_percentage"},
	{"context_window", "total_tokens"},
	{"context_window", "current_usage", "input_tokens"},
	{"context_window", "current_usage", "cache_creation_input_tokens"},
	{"context_window", "current_usage", "cache_read_input_tokens"},
	{"context_window", "current_usage", "output_tokens"},
	{"session_name"},
	{"effort", "level"},
	{"worktree", "name"},
	{"pr", "number"},
	{"pr", "review_state"},
	{"cost", "total_cost_usd"},
	{"rate_limits", "five_hour", "used_percentage"},
	{"rate_limits", "five_hour", "resets_at"},
	{"rate_limits", "seven_day", "used_percentage"},
	{"rate_limits", "seven_day", "resets_at"},
}

// parseAgent reads an agent's input. ok is false when it is no JSON, or null, with which GSD's status line can do nothing.
// The texts may point into input.
func parseAgent(input string) (a Agent, ok bool) {
	var fields [fieldCount + 1]scan.JSONField // the last one is the whole input
	for i := range agentPaths {
		fields[i].Path = agentPaths[i]
	}
	if !scan.JSONFields(input, fields[:]) || fields[fieldCount].Value == "null" {
		return Agent{}, false
	}
	a.Model, _ = scan.JSONText(fields[fieldModel].Value)
	a.Dir, _ = scan.JSONText(fields[fieldDir].Value)
	a.Session, _ = scan.JSONText(fields[fieldSession].Value)
	a.Transcript, _ = scan.JSONText(fields[fieldTranscript].Value)
	a.Context.Remaining, a.Context.Known = scan.JSONNumber(fields[fieldRemaining].Value)
	a.Context.Share, a.Context.Shared = lenientNumber(fields[fieldShare].Value)
	a.Context.Total, _ = scan.JSONNumber(fields[fieldTotal].Value)
	for i := range a.session {
		a.session[i] = fields[fieldName+i].Value
	}
	for _, field := range fields[fieldUsed:fieldName] {
		tokens, _ := scan.JSONNumber(field.Value)
		a.Context.Used += tokens
	}
	return a, true
}

// lenientNumber returns the number that value is, or that its text spells.
func lenientNumber(value string) (number float64, ok bool) {
	if text, isText := scan.JSONText(value); isText {
		value = scan.TrimSpace(text)
		if !scan.JSONFields(value, nil) {
			return 0, false
		}
	}
	return scan.JSONNumber(value)
}

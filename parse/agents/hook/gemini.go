package hook

// Gemini CLI, observed with version 0.61.0.
//
//   - A hook can stop a call before anyone is asked (BeforeTool). It can't answer the client's own prompt, which comes even after a hook
//     that allows. So its prompts are shown here and answered there.
//   - Notification of the type "ToolPermission" comes when a prompt opens. Esc fires nothing.
//   - After a blocked AfterAgent the next one repeats the old prompt and response.

import (
	"encoding/json"
	"strings"
)

var gemini = contract{name: "gemini", reportsEnd: true, mark: "GEMINI_SESSION_ID", parse: parseGemini}

var geminiEvents = map[string]kind{
	"SessionStart": sessionStarted, "BeforeAgent": promptSubmitted, "AfterTool": toolFinished, "AfterAgent": turnFinished,
	"Notification": promptShown, "SessionEnd": sessionEnded,
}

// parseGemini reads an event of Gemini CLI.
func parseGemini(input []byte, _ func(string) string) (*event, error) {
	p, e, err := parsePayload(input, geminiEvents)
	if err != nil {
		return nil, err
	}
	e.message = p.Reply
	if e.kind != promptShown {
		return e, nil
	}
	if p.Notification != "ToolPermission" {
		e.kind = ignored
		return e, nil
	}
	var more struct {
		Details struct {
			Title    string `json:"title"`
			Command  string `json:"command"`
			File     string `json:"fileName"`
			Question string `json:"question"`
			Asked    []struct {
				Question string `json:"question"`
			} `json:"questions"`
		} `json:"details"`
	}
	json.Unmarshal(input, &more) // without details the message has to do
	d := more.Details
	about := d.Command + d.File + d.Question
	if about == "" && len(d.Asked) > 0 {
		about = d.Asked[0].Question
	}
	e.text = p.Message
	if d.Title != "" {
		e.text = strings.TrimRight(d.Title+": "+headline(about), ": ")
	}
	return e, nil
}

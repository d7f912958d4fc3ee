package hook

// Gemini CLI, tried with version 0.61.0 (TestLiveGeminiSession of cmd/gatehouse).
//
//   - A hook can keep a call from being done, before anybody is asked (BeforeTool); it can't answer the client's own prompt, which comes all
//     the same after a hook that allows. So its prompts are shown, and answered there.
//   - Notification of the type "ToolPermission" comes when a prompt opens.

import (
	"encoding/json"
	"strings"
)

var gemini = contract{name: "gemini", mark: "GEMINI_SESSION_ID", reads: readGemini}

var geminiEvents = map[string]what{
	"SessionStart": began, "BeforeAgent": prompted, "AfterTool": ran, "AfterAgent": stopped, "Notification": noticed, "SessionEnd": over,
}

func readGemini(input []byte, _ func(string) string) (*event, error) {
	t, e, err := readTold(input, geminiEvents)
	if err != nil {
		return nil, err
	}
	if e.what == noticed {
		var more struct {
			Details struct {
				Title   string `json:"title"`
				Command string `json:"command"`
				File    string `json:"fileName"`
			} `json:"details"`
		}
		json.Unmarshal(input, &more) // without details the message says it
		e.text = t.Message
		if more.Details.Title != "" {
			e.text = strings.TrimRight(more.Details.Title+": "+headline(more.Details.Command+more.Details.File), ": ")
		}
		if t.Notification != "ToolPermission" {
			e.what = nothing
		}
	}
	return e, nil
}

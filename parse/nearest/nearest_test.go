package nearest

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/conformance"
)

// row is a case: files, the place of a search in them, and its result. ROOT is the directory of the files. Ages are in seconds.
type row struct {
	Files          map[string]string
	Ages           map[string]int
	Dir, Home      string
	Source, Loops  string
	Alerts, Detail bool
	Want           json.RawMessage
}

// result is what is compared; paths are relative.
type result struct {
	Protocol  string    `json:"protocol,omitempty"`
	Full      string    `json:"full,omitempty"`
	Compact   string    `json:"compact,omitempty"`
	Scene     int       `json:"scene,omitempty"`
	IsCompact bool      `json:"is_compact,omitempty"`
	Path      string    `json:"path,omitempty"`
	With      string    `json:"with,omitempty"`
	Waits     string    `json:"waits,omitempty"`
	WaitsPath string    `json:"waits_path,omitempty"`
	WaitsSaid bool      `json:"waits_said,omitempty"`
	Beside    []Waiting `json:"beside,omitempty"`
	Denied    string    `json:"denied,omitempty"`
	Refused   string    `json:"refused,omitempty"`
	Reason    string    `json:"reason,omitempty"`
}

// TestFind checks which build is found, its line and its waits.
func TestFind(t *testing.T) {
	conformance.OwnRows(t, "nearest.jsonl", func(t *testing.T, r row) {
		root := tree(t, r.Files)
		loopAge(t, root, r.Ages)
		p := Place{Dir: filepath.Join(root, r.Dir), Source: r.Source, Alerts: r.Alerts, Detail: r.Detail}
		if r.Home != "" {
			p.Home = filepath.Join(root, r.Home)
		}
		p.Env = func(name string) string {
			if name == "GATEHOUSE_LOOPS" {
				return strings.ReplaceAll(r.Loops, "ROOT", root)
			}
			return ""
		}
		found, ok := Find(p)
		rel := func(path string) string {
			if path == "" {
				return ""
			}
			name, err := filepath.Rel(root, path)
			must(t, err)
			return filepath.ToSlash(name)
		}
		got := result{
			IsCompact: found.Compact, Path: rel(found.Path), With: rel(found.With), Waits: found.Waits, WaitsPath: rel(found.WaitsPath),
			WaitsSaid: found.WaitsSaid, Beside: found.Beside, Denied: found.Denied, Refused: rel(found.Refused),
		}
		if found.Reason != nil {
			got.Reason = found.Reason.Error()
		}
		if ok {
			got.Protocol, got.Full, got.Compact = found.Protocol, string(found.Facts.AppendFull(nil)), string(found.Facts.AppendCompact(nil))
			got.Scene, _ = found.Facts.Scene()
		}
		var want result
		must(t, json.Unmarshal(r.Want, &want))
		if g, w := string(encode(t, got)), string(encode(t, want)); g != w {
			t.Errorf("in %s:\n got %s\nwant %s", r.Dir, g, w)
		}
	})
}

func encode(t *testing.T, v any) []byte {
	data, err := json.Marshal(v)
	must(t, err)
	return data
}

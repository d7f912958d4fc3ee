package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gatehouse/model/line"
	"gatehouse/statusline"
)

// TestMain makes the test's own program a statusline, for the scripts in testdata; and one whose line is the text in
// payloadFile, when the environment asks for that: so the escape vectors reach real shells byte by byte, also those that no
// STATE.md can hold.
func TestMain(m *testing.M) {
	if name := os.Getenv("STATUSLINE_TEST_SINK"); name != "" {
		sink, _ := statusline.SinkNamed(name)
		text, _ := os.ReadFile(payloadFile)
		colored := os.Getenv("NO_COLOR") == ""
		os.Stdout.Write(new(statusline.Page).Render(fixed(text), false, statusline.Options{Sink: sink, Colored: colored}))
		os.Exit(0)
	}
	testscript.Main(m, map[string]func(){"statusline": main})
}

// TestScripts holds every flag to what the user sees.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// payloadFile holds a hostile text, in each of the directories between which the shells under test change.
const payloadFile = "payload"

// fixed is a build whose line is a text.
type fixed string

func (f fixed) AppendFull(dst []byte) []byte {
	return line.AppendClean(dst, string(f), line.FieldLimit)
}
func (f fixed) AppendCompact(dst []byte) []byte { return f.AppendFull(dst) }
func (f fixed) Scene() (int, string)            { return 4, "" }
func (f fixed) Compose(t *line.Text, _ bool) {
	t.Begin(line.Keep)
	t.Field(line.Wait, string(f))
}

// Command sink prints the text in the file "payload" of the working directory as the line of a build, for the sink that
// STATUSLINE_TEST_SINK names. Tests use it in the prompts of real shells, so that the escape vectors get there byte for byte, even
// those that no STATE.md can hold.
package main

import (
	"os"

	"gatehouse/model/line"
	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

func main() {
	command, _ := statusline.ParseFlags([]string{"--shell", os.Getenv("STATUSLINE_TEST_SINK")})
	text, _ := os.ReadFile("payload")
	command.Colored = os.Getenv("NO_COLOR") == ""
	os.Stdout.Write(statusline.Render([]nearest.Found{{Facts: fixed(text)}}, command.Options))
}

// fixed is a build whose line is a text.
type fixed string

func (f fixed) Scene() (int, string) { return 4, "" }
func (f fixed) Compose(t *line.Text, _ bool) {
	t.Begin(line.Keep)
	t.Exact(line.Wait, string(f))
}

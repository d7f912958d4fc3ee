package main

// Printing: the output of commands on standard output.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
)

// printer prints for people and scripts. It keeps the first error until Flush,
// so that a full disk is reported once and not at every line.
type printer struct {
	*bufio.Writer
	width   int         // of the terminal, 0 if there is none
	colored func() bool // whether the signs of rows are colored; nil for no
}

func newPrinter(w io.Writer, width int) *printer { return &printer{bufio.NewWriter(w), width, nil} }

// exact is Gatehouse's own text: it is printed unchanged.
type exact string

// printf prints rows like [fmt.Fprintf]. The format is Gatehouse's, the arguments
// come from files: every string argument that is not [exact] is foreign. So no
// text can pass for a row, a column or a sign, and on a terminal no row is
// wider than the terminal: continuation rows are marked.
func (p *printer) printf(format string, args ...any) {
	for i, arg := range args {
		args[i] = asPrintable(arg)
	}
	colored := p.colored != nil && p.colored()
	for row := range strings.Lines(fmt.Sprintf(format, args...)) {
		text, ended := strings.CutSuffix(row, "\n")
		text = foldRow(strings.TrimRight(text, " "), p.width)
		if colored {
			text = colorSign(text)
		}
		p.WriteString(text)
		if ended {
			p.WriteByte('\n')
		}
	}
}

// signColors are the colors of the signs at the start of rows.
var signColors = []struct{ sign, color string }{
	{"◆", "1;33"}, {"◇", "36"}, {"≠", "35"}, {"error:", "31"}, {"blocked:", "31"}, {"warning:", "33"}, {"●", "32"},
}

// colorSign colors the sign at the start of a row. No text of a file looks like a sign: see [line.Foreign].
func colorSign(row string) string {
	text := strings.TrimLeft(row, " ")
	for _, x := range signColors {
		if rest, ok := strings.CutPrefix(text, x.sign); ok {
			return row[:len(row)-len(text)] + "\x1b[" + x.color + "m" + x.sign + "\x1b[0m" + rest
		}
	}
	return row
}

// asPrintable returns the printed form of an argument.
func asPrintable(arg any) any {
	switch arg := arg.(type) {
	case exact:
		return line.Clean(string(arg))
	case error:
		return line.Foreign(arg.Error())
	case fmt.Stringer:
		return line.Foreign(arg.String())
	}
	if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
		return line.Foreign(v.String())
	}
	return arg
}

// formatChange returns a change of the model, such as "pending → passed", for a row. The last arrow is Gatehouse's, the texts beside it are
// foreign.
func formatChange(text string) exact {
	const arrow = " → "
	if i := strings.LastIndex(text, arrow); i >= 0 {
		return exact(line.Foreign(text[:i]) + arrow + line.Foreign(text[i+len(arrow):]))
	}
	return exact(line.Foreign(text))
}

// cleanLines cleans a text line by line.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = line.Clean(strings.TrimRight(l, "\r"))
	}
	return strings.Join(lines, "\n")
}

// cleanDecision returns a decision with a harmless text; nil stays nil.
func cleanDecision(d *model.Decision) *model.Decision {
	if d == nil {
		return nil
	}
	clean := *d
	clean.Text = cleanLines(d.Text)
	return &clean
}

// fitColumn returns a text from a file as one column of a row: cut or filled up to its width.
func fitColumn(text string, width int) exact {
	text = ansi.Truncate(line.Foreign(text), width, line.Ellipsis)
	return exact(text + strings.Repeat(" ", max(width-line.Width(text), 0)))
}

// leastFold is the least width for folding rows: narrower rows are unreadable.
const leastFold = 24

// foldRow breaks a row that is too wide for the terminal. All rows after the first begin with a sign.
func foldRow(row string, width int) string {
	if width < leastFold || line.Width(row) <= width {
		return row
	}
	text := strings.TrimLeft(row, " ")
	indent := row[:min(len(row)-len(text), width/2)]
	const continuation = "│ "
	limit := width - len(indent) - line.Width(continuation)
	wrapped := ansi.Hardwrap(ansi.Wrap(text, limit, ""), limit, true) // Wrap lets a hyphen stand beyond the limit
	return indent + strings.ReplaceAll(wrapped, "\n", "\n"+indent+continuation)
}

// jsonFlag gives a command --json.
func (s *env) jsonFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().BoolVar(&s.asJSON, "json", false, usage)
}

// withJSON gives a command --json, and returns it.
func (s *env) withJSON(cmd *cobra.Command, usage string) *cobra.Command {
	s.jsonFlag(cmd, usage)
	return cmd
}

// printJSON prints v, indented, without characters that act on a terminal or are invisible (see [line.AppendJSON]).
func (p *printer) printJSON(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	p.printDocument(b.String())
	return nil
}

// printDocument prints a JSON document that is encoded already.
func (p *printer) printDocument(text string) { p.Write(line.AppendJSON(nil, text)) }

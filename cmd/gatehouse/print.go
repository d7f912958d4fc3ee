package main

// Printing: what commands write on standard output.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"gatehouse/model/line"
)

// printer prints for people and scripts. It keeps the first error until Flush,
// so that a full disk is noticed once and not at every line.
type printer struct{ *bufio.Writer }

func newPrinter(w io.Writer) *printer { return &printer{bufio.NewWriter(w)} }

// printf prints as [fmt.Fprintf] does. Every text among args is cleaned first:
// the format is ours, what fills it comes from files.
func (p *printer) printf(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = line.Clean(arg)
		case error:
			args[i] = line.Clean(arg.Error())
		case fmt.Stringer:
			args[i] = line.Clean(arg.String())
		default:
			if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
				args[i] = line.Clean(v.String())
			}
		}
	}
	fmt.Fprintf(p, format, args...)
}

// json prints v, indented, free of what could act on a terminal or would not be seen (see [line.AppendJSON]).
func (p *printer) json(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	p.document(b.String())
	return nil
}

// document prints a JSON document that is encoded already.
func (p *printer) document(text string) { p.Write(line.AppendJSON(nil, text)) }

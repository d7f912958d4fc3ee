package doc_test

import (
	"strings"
	"testing"

	"gatehouse/parse/conformance"
	"gatehouse/parse/doc"
)

func TestConformanceJSONEdit(t *testing.T) {
	conformance.Rows(t, "json_edit.jsonl", func(t *testing.T, row struct {
		Before []byte `json:"before_b64"`
		Writes []struct {
			Path  []string
			Value string
		}
		Expected []byte  `json:"expected_b64"`
		Error    *string `json:"expected_error"`
	}) {
		before := string(row.Before)
		var assignments []doc.Assignment
		for _, w := range row.Writes {
			assignments = append(assignments, doc.AssignText(w.Value, w.Path...))
		}
		spans, err := doc.SetJSON(before, assignments)
		if row.Error != nil {
			_, isSyntax := err.(*doc.SyntaxError)
			if err == nil || isSyntax != (*row.Error == "parse error") || !isSyntax && !strings.Contains(err.Error(), *row.Error) {
				t.Fatalf("%v, %v; want the error %q", spans, err, *row.Error)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		after, ok := doc.Apply(before, spans)
		if !ok || after != string(row.Expected) {
			t.Errorf("got\n%s\nwant\n%s", after, row.Expected)
		}
		if back, ok := doc.Apply(after, doc.Invert(spans)); !ok || back != before {
			t.Errorf("inverted it is\n%s\nand was\n%s", back, before)
		}
	})
}

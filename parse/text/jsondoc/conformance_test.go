package jsondoc_test

import (
	"strings"
	"testing"

	"gatehouse/parse/conformance"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/jsondoc"
)

// jsonRow is a row of json_edit.jsonl.
type jsonRow struct {
	Before []byte `json:"before_b64"`
	Writes []struct {
		Path  []string
		Value string
	}
	Expected []byte  `json:"expected_b64"`
	Error    *string `json:"expected_error"`
}

func TestConformanceJSONEdit(t *testing.T) {
	conformance.Rows(t, "json_edit.jsonl", func(t *testing.T, row jsonRow) {
		var values []jsondoc.Assignment
		for _, w := range row.Writes {
			values = append(values, jsondoc.Text(w.Value, w.Path...))
		}
		spans, err := jsondoc.Set(string(row.Before), values)
		if row.Error != nil {
			if err == nil || !strings.Contains(err.Error(), *row.Error) || spans != nil {
				t.Fatalf("%v, %v; want the error %q", spans, err, *row.Error)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		after, err := protocol.Apply(string(row.Before), spans)
		if err != nil || after != string(row.Expected) {
			t.Errorf("%v, got\n%s\nwant\n%s", err, after, row.Expected)
		}
		if back, err := protocol.Apply(after, protocol.Invert(spans)); err != nil || back != string(row.Before) {
			t.Errorf("taken back it is\n%s (%v)\nand was\n%s", back, err, row.Before)
		}
	})
}

package jsondoc_test

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/parse/text/jsondoc"
)

// BenchmarkSet sets the values that approving a gate sets, two of them there and one added, in documents of several sizes.
func BenchmarkSet(b *testing.B) {
	for name, size := range map[string]int{"4KiB": 4 << 10, "1MiB": 1 << 20} {
		var doc strings.Builder
		doc.WriteString("{\n  \"loop\": \"x-loop\",\n  \"gates\": {\n")
		for i := 0; doc.Len() < size; i++ {
			fmt.Fprintf(&doc, "    \"gate-%d\": {\n      \"status\": \"pending\",\n      \"required\": true\n    },\n", i)
		}
		doc.WriteString("    \"last\": {\n      \"status\": \"pending\"\n    }\n  },\n  \"last_updated\": \"\"\n}\n")
		values := []jsondoc.Assignment{
			jsondoc.Text("passed", "gates", "last", "status"),
			jsondoc.Text("2026-02-01T11:00:00Z", "gates", "last", "passedAt"),
			jsondoc.Text("2026-02-01T11:00:00Z", "last_updated"),
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(doc.Len()))
			for b.Loop() {
				if spans, err := jsondoc.Set(doc.String(), values); err != nil || len(spans) != 3 {
					b.Fatal(spans, err)
				}
			}
		})
	}
}

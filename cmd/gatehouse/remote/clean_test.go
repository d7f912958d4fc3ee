package remote

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/line"
)

// bomb is a short message that unpacks to 64 MiB.
var bomb = func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range 64 {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	return b.Bytes()
}()

// wrapped returns a document with one project that has the given build.
func wrapped(build string) []byte {
	return []byte(`{"schema":1,"projects":[{"root":"/x","name":"x","builds":[` + build + `]}]}`)
}

// TestHostileMessagesAreRefused checks that hostile documents are refused, or cleaned if they can be shown.
func TestHostileMessagesAreRefused(t *testing.T) {
	start := `{"id":"x","protocol":"gsd","nodes":[`
	for what, message := range map[string]string{
		"deep":          start + strings.Repeat(`{"id":"a","children":[`, 60),
		"many objects":  start + strings.Repeat(`{},`, 300_000) + `{}]}`,
		"a null":        start + `null]}`,
		"many numbers":  start + strings.Repeat(`1,`, 200_000) + `1]}`,
		"two of a name": start + `{"id":"a","kind":"plan"},{"id":"b","children":[{"id":"a"}]}]}`,
		"no ID":         start + `{"kind":"plan"}]}`,
		"no build ID":   `{"protocol":"gsd"}`,
		"a number":      `{"id":"x","progress":{"percent":1e99}}`,
		"no JSON":       `{"id":"x"`,
		"long":          strings.Repeat(" ", documentLimit) + `{"id":"x"}`,
		"NUL in a name": `{"id":"x\u0000"}`,
	} {
		if _, _, err := decodeDocument(wrapped(message), 0); err == nil {
			t.Errorf("%s: taken", what)
		} else if strings.ContainsAny(err.Error(), "\n\x00") || len(err.Error()) > 300 {
			t.Errorf("%s: %q", what, err)
		}
	}
	if _, _, err := decodeDocument(bomb, 0); err == nil || !strings.Contains(err.Error(), "are allowed") {
		t.Errorf("a bomb: %v", err)
	}
	b := received(t, []byte(strings.Replace(string(wrapped(`{"id":"x","title":"\u001b[2Jx\u202e","status":"mad","progress":{"known":true,"percent":1000,"phases":{"done":-5,"total":99999999999999}},`+
		`"waits":[{"text":"a\nb","evidence":"?"}],"header":{"full":[{"rank":99,"text":[{"role":99,"text":"a\u001bb"}]}],"compact":[]},"freshness":{"changed":"0001-01-01T00:00:01Z"}}`)), `"schema":1,`, `"schema":1,"host":"build-7",`, 1)), 0).Project.Builds[0]
	if b.Title != "\uFFFD[2Jx" || b.Status != model.Unknown || b.Progress.Percent != 100 || b.Progress.Phases.Done != 0 || len(b.Waits) != 1 ||
		b.Waits[0].Text != "a b" || b.Waits[0].Evidence != model.Outstanding || line.Full(b.Header) != "a\uFFFDb" || !b.Freshness.Changed.IsZero() {
		t.Errorf("%+v", b)
	}
}

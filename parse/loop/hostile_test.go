package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol/protocoltest"
)

// sound fails unless a build can be shown, and its rows agree: see [modeltest.CheckShown]. Files are in the project, waits are at gates, and the
// percentage is valid.
func sound(t *testing.T, b *model.Build) {
	t.Helper()
	modeltest.CheckShown(t, b)
	for _, n := range model.Walk(b.Nodes) {
		for _, a := range n.Artifacts {
			if !filepath.IsLocal(a.File) {
				t.Errorf("a file outside: %q", a.File)
			}
		}
		if n.Source.Line < 0 || n.Source.Col < 0 {
			t.Errorf("%s stands at %v", n.ID, n.Source)
		}
	}
	for _, w := range b.Waits {
		n, _ := b.Find(w.Node)
		if w.Node == "" && (b.Raw == "failed" || len(b.Nodes) == 0 || strings.Contains(w.Text, "be read")) {
			continue
		}
		if n == nil || n.Gate == nil || !w.IsUpcoming() && n.Gate.Upcoming {
			t.Errorf("%q waits: %+v", w.Node, n)
		}
	}
	if b.Progress.Percent < 0 || b.Progress.Percent > 100 || b.Status == model.Done && b.Progress.Phases.Open() > 0 {
		t.Errorf("%d %%, %s with %d open", b.Progress.Percent, b.Status, b.Progress.Phases.Open())
	}
}

const esc = `\u001b]0;title\u0007\u202e\n`

// seeds are states and definitions of every form, valid and hostile.
var seeds = []string{
	"", "{", "[]", "null", "{}{}", `{"loop":"l","phases":{}}`, stateText("active", atGate, allOpen), definitionText, odd,
	`{"gates":{},"phases":{"A":"pending","B":null,"C":[],"D":7,"":{}}}`,
	`{"gates":{"` + esc + `":{"status":"` + esc + `","deliverables":["../../etc/passwd","/etc/passwd","a/../../b.md","..\\x.md","` + esc + `.md",""]}},"phases":{"` + esc + `":{"status":"` + esc + `","skills":["` + esc + `",1,{}]}},"metrics":{"` + esc + `":"` + esc + `"},"loop":"` + esc + `"}`,
	`{"gates":{"a":{},"a\u200b":{}},"phases":{"a\u0000":{},"a\u0001":{},"x/skill/1":{},"x":{"skills":["s"]}}}`,
	`{"loop":"../../x","phases":{"A":{}}}`, `{"systemId":"s","state":"running","stages":{"build":"done"},"gates":{"security":{"status":"requested"},"ux":"not-applicable"}}`,
	`{"orchestratorId":"o","currentPhase":"P","gates":{"pending":["a",{"id":"b"}],"approved":["c"],"rejected":[]}}`,
	`{"loopId":"l","status":"blocked","phases":[{"phase":"A","status":"completed","skills":[{"skillId":"s","status":"completed"}]},7],"gates":[{"gateId":"g","status":"approved","approvedBy":"me","feedback":"ok","enabled":false},{}],"logs":[]}`,
	`{"id":"l","phases":[{"name":"A","gates":[{"id":"g"}]},{"id":"B"},{}],"gates":[{"id":"g","afterPhase":"B"},{"id":"h","afterPhase":"none"},{},7]}`,
	strings.Repeat("[", 600), `{"gates":{},"phases":` + strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 601),
}

// TestHostileStates reads and checks every seed as a state with every seed as its definition.
func TestHostileStates(t *testing.T) {
	for _, seed := range seeds {
		for _, d := range seeds {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "x-state.json"), seed)
			write(t, filepath.Join(dir, "loop.json"), d)
			for _, r := range Readers(mirror.New(dir), "", nil) {
				b := r.Read(noon)
				sound(t, b)
				r.Check(noon)
			}
		}
	}
}

// TestGiantFiles checks that a loop waits as a whole if its state or its definition is too large to be read.
func TestGiantFiles(t *testing.T) {
	state := stateText("active", atGate, allOpen)
	for name, giant := range map[string]string{"kite-state.json": state, "loop.json": definitionText} {
		files := map[string]string{"kite-state.json": state, name: strings.TrimSpace(giant[:strings.LastIndex(giant, "}")]) + strings.Repeat(" ", 9<<20) + "}"}
		text := files["kite-state.json"]
		delete(files, "kite-state.json")
		if b := kite(t, text, files).Read(noon); b.Unread != name+" can't be read" && b.Unread != name+" can't be read, so its gates are unknown" {
			t.Errorf("%s: %q waits", name, b.Unread)
		}
	}
}

// TestDeliverablesStayInTheProject checks that no path or link out of the project counts as a deliverable.
func TestDeliverablesStayInTheProject(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.md"), "# x\n")
	state := strings.Replace(stateText("active", atGate, allOpen), `["SKETCH.md", "docs/PLAN.md"]`, `["../`+filepath.Base(outside)+`/secret.md", "`+outside+`/secret.md", "link.md", "dir/secret.md", "empty.md", "pipe.md"]`, 1)
	r := kite(t, state, map[string]string{"empty.md": ""})
	root := r.m.Root()
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(root, "link.md")))
	must(t, os.Symlink(outside, filepath.Join(root, "dir")))
	must(t, os.MkdirAll(filepath.Join(root, "pipe.md"), 0o755))
	r.m.Touch()
	b := r.Read(noon)
	for i := range 6 {
		n := modeltest.Node(t, b, fmt.Sprintf("gate/sketch-gate/deliverable/%d", i+1))
		if n.Status == model.Done || len(n.Artifacts) > 0 && n.Artifacts[0].Exists && n.Artifacts[0].Size > 0 && n.Status != model.Failed {
			t.Errorf("%s is %s (%s): %+v", n.Title, n.Status, n.Why, n.Artifacts)
		}
	}
	q := ask(model.VerbApprove, state, "")
	q.Asking = true
	c, err := protocoltest.Decide(r, q)
	must(t, err)
	if len(c.Missing) != 8 { // the deliverables of the definition count, too
		t.Errorf("missing are %q", c.Missing)
	}
}

// TestWhichFilesAreStates checks by which names and contents a file is taken for a state.
func TestWhichFilesAreStates(t *testing.T) {
	state := stateText("active", begun, allOpen)
	for name, want := range map[string]int{
		"kite-state.json": 1, "state.json": 1, "loop-state.json": 1, "memory/x-state.json": 1, "kite.json": 0, "other/kite-state.json": 0, "memory/x.json": 0, "kite-state.json/x": 0,
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, name), state)
		m := mirror.New(dir)
		if got := len(Readers(m, "", nil)); got != want || want > 0 && !MayHold(m) {
			t.Errorf("%s: %d states, want %d; may hold one: %v", name, got, want, MayHold(m))
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kite.json"), state)
	if got := len(Readers(mirror.New(dir), "kite.json", nil)); got != 1 {
		t.Errorf("named by the user: %d", got)
	}
	if f, err := parseState(`{"loop":"l","loopId":"l","phases":[],"gates":{}}`); err == nil || f.reason != core.ErrDamaged {
		t.Errorf("a state with a loop name and the key of another tool: %v, %v", f.reason, err)
	}
	for _, text := range []string{`{"loop":7,"phases":{}}`, `{"loop":"","phases":{}}`, `{"loop":"l","phases":[]}`, `{"loop":"l","gates":{}}`, `{"loopId":"l","phases":[{"phase":"A"}],"gates":[]}`,
		`{"systemId":"s","stages":{},"gates":{}}`, `{"orchestratorId":"o","gates":{"pending":["a"]}}`, `[1]`, `{"system":"x","modules":[]}`, "\xff\xfe{\x00}\x00"} {
		if f, _ := parseState(text); f.State != nil {
			t.Errorf("%s is taken for a state", text)
		}
	}
}

// TestRealFiles opens the state templates of real projects as loops, and other files with similar names not at all.
func TestRealFiles(t *testing.T) {
	root := conformance.Outside(t, "..", "real")
	templates, err := filepath.Glob(filepath.Join(root, "loop-state-templates", "*"))
	must(t, err)
	if len(templates) == 0 {
		t.Fatal("no templates")
	}
	opened := 0
	for _, file := range templates {
		m := mirror.New(filepath.Dir(file))
		readers := Readers(m, filepath.Base(file), nil)
		text, err := os.ReadFile(file)
		must(t, err)
		if _, err := doc.ParseJSON(string(text)); err != nil {
			if len(readers) != 1 || len(readers[0].Read(noon).Problems) == 0 {
				t.Errorf("%s is no JSON, and is not shown to be none", file)
			}
			continue
		}
		if len(readers) != 1 {
			t.Errorf("%s: %d readers", file, len(readers))
			continue
		}
		opened++
		b := readers[0].Read(noon)
		sound(t, b)
		if len(b.OfKind(model.KindPhase)) < 2 || b.Status != model.Active || len(b.Can) == 0 {
			t.Errorf("%s: %s %s", file, b.Status, rows(b))
		}
	}
	if opened < 30 {
		t.Errorf("%d of the templates open", opened)
	}
	for _, name := range []string{"dream-state.json", "roadmap.json"} {
		if n := len(Readers(mirror.New(filepath.Join(root, "not-loop-state")), name, nil)); n != 0 {
			t.Errorf("%s is taken for a loop", name)
		}
	}
}

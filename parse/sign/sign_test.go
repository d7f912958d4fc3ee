package sign

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
)

// keyOf makes a key and returns its path, and its line in a file of allowed signers.
func keyOf(t *testing.T, principal string) (path, allowed string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	path = filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command(program, "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(path + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	return path, principal + " " + string(public)
}

func TestSignature(t *testing.T) {
	ann, allowed := keyOf(t, "ann@example.org")
	other, _ := keyOf(t, "eve")
	file := filepath.Join(t.TempDir(), "allowed_signers")
	if err := os.WriteFile(file, []byte(allowed), 0o600); err != nil {
		t.Fatal(err)
	}
	d := model.Decision{Build: "loop:x-state.json", Node: "gate/frame-gate", Verb: model.VerbApprove, Text: "fine", File: "x-state.json",
		Signature: &model.Signature{At: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC), Project: "shop", Evidence: "sha256:1"}}
	sign := func(key string) string {
		signature, err := (&Signer{Key: key}).Sign(t.Context(), Of(&d))
		if err != nil {
			t.Fatal(err)
		}
		return signature
	}
	signature := sign(ann)
	by, err := Verify(t.Context(), file, Of(&d), signature)
	if err != nil || by.By != "ann@example.org" || !strings.HasPrefix(by.Key, "ED25519 SHA256:") {
		t.Fatalf("%+v, %v", by, err)
	}
	for what, change := range map[string]func(d *model.Decision){
		"other evidence":      func(d *model.Decision) { d.Signature.Evidence = "sha256:2" },
		"another gate":        func(d *model.Decision) { d.Node = "gate/launch-gate" },
		"another build":       func(d *model.Decision) { d.Build = "loop:y-state.json" },
		"another project":     func(d *model.Decision) { d.Signature.Project = "api" },
		"another outcome":     func(d *model.Decision) { d.Signature.Is = "failed" },
		"another verb":        func(d *model.Decision) { d.Verb = model.VerbSkip },
		"another note":        func(d *model.Decision) { d.Text = "very fine" },
		"another time":        func(d *model.Decision) { d.Signature.At = d.Signature.At.Add(time.Second) },
		"another state file":  func(d *model.Decision) { d.File = "y-state.json" },
		"a note that is gone": func(d *model.Decision) { d.Text = "" },
	} {
		changed, s := d, *d.Signature
		changed.Signature = &s
		change(&changed)
		if by, err := Verify(t.Context(), file, Of(&changed), signature); err == nil {
			t.Errorf("%s: signed by %+v", what, by)
		}
	}
	if by, err := Verify(t.Context(), file, Of(&d), sign(other)); err == nil || !strings.Contains(err.Error(), "its key is not in") {
		t.Errorf("a key that is not allowed: %+v, %v", by, err)
	}
	for _, text := range []string{"", "x", strings.Replace(signature, "SIGNATURE", "SIGNATUR", 1)} {
		if by, err := Verify(t.Context(), file, Of(&d), text); err == nil {
			t.Errorf("%q: %+v", text, by)
		}
	}
	if _, err := Verify(t.Context(), file+"-none", Of(&d), signature); err == nil {
		t.Error("a file that is not there allows a key")
	}
	if _, err := (&Signer{Key: ann + "-none"}).Sign(t.Context(), Of(&d)); err == nil || !strings.Contains(err.Error(), "nothing was decided") {
		t.Error(err)
	}
}

// A signature by the same key for another purpose does not count.
func TestNamespace(t *testing.T) {
	key, allowed := keyOf(t, "ann")
	file := filepath.Join(t.TempDir(), "allowed_signers")
	d := model.Decision{Signature: &model.Signature{}}
	cmd := exec.Command(program, "-Y", "sign", "-n", "git", "-f", key)
	cmd.Stdin = strings.NewReader(string(Of(&d).signedBytes()))
	signature, err := cmd.Output()
	if err != nil || os.WriteFile(file, []byte(allowed), 0o600) != nil {
		t.Fatal(err)
	}
	if by, err := Verify(t.Context(), file, Of(&d), string(signature)); err == nil {
		t.Errorf("%+v", by)
	}
}

func TestFile(t *testing.T) {
	d := model.Decision{Build: "gsd", Node: "02-UAT/3", Verb: model.VerbApprove, Signature: &model.Signature{Project: "shop", Text: "-----BEGIN"}}
	f, err := Decode(Encode(&d))
	if err != nil || f.Statement != Of(&d) || f.Signature != "-----BEGIN" {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := Decode(`{"statement":{"gatehouse":2}}`); err == nil {
		t.Error("a later version is read")
	}
	if got := FileName("a/x-state.json", "gate/../\x1b[31m"); got != "a/x-state.json.gate-..---31m.sig" {
		t.Error(got)
	}
}

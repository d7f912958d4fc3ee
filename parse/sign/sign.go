// Package sign signs decisions with the user's SSH key and verifies such signatures, by ssh-keygen -Y. It proves that the holder of the
// key made a decision about this very evidence; it holds no keys and no secrets.
package sign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/process"
)

// namespace keeps signatures of other programs from counting here, and ours elsewhere.
const namespace = "gatehouse"

// program signs and verifies.
const program = "ssh-keygen"

// Statement is the signed content: nothing in it depends on the project's location.
type Statement struct {
	Schema   int        `json:"gatehouse"` // 1
	Project  string     `json:"project"`   // name of its directory
	Build    string     `json:"build"`     // ID
	Gate     string     `json:"gate"`      // ID of the node, "" for a decision about the build
	Verb     model.Verb `json:"verb"`
	Is       string     `json:"is"`             // status that the decision makes, in the words of the file: a check recorded as failed is no approval
	Text     string     `json:"text,omitempty"` // the note, the reason, or what is to be changed
	File     string     `json:"file"`           // that records the decision, relative to the project's root
	Evidence string     `json:"evidence"`       // hash of the files that the gate is judged by
	At       time.Time  `json:"at"`
}

// Of returns the statement that the signature of a decision is about.
func Of(d *model.Decision) Statement {
	node := d.Node
	if d.Verb == model.VerbAdd { // its ID is made when it is written
		node = ""
	}
	return Statement{1, d.Signature.Project, d.Build, node, d.Verb, d.Signature.Is, d.Text, d.File, d.Signature.Evidence, d.Signature.At.UTC()}
}

// signedBytes returns the bytes that are signed.
func (s Statement) signedBytes() []byte {
	text, err := json.Marshal(s)
	if err != nil { // texts and a time
		panic(err)
	}
	return append(text, '\n')
}

// Signer signs with one key.
type Signer struct {
	Key      string    // path of a private key, or of a public key whose private part an agent or a FIDO device has
	Terminal io.Writer // where ssh-keygen asks for a touch or a passphrase; nil: it must sign without asking on a terminal
}

// Sign returns the signature of a statement.
func (s *Signer) Sign(ctx context.Context, st Statement) (string, error) {
	cmd := exec.CommandContext(ctx, program, "-q", "-Y", "sign", "-n", namespace, "-f", s.Key)
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(st.signedBytes()), &out, &said
	if s.Terminal != nil {
		cmd.Stderr = io.MultiWriter(&said, s.Terminal)
	} else {
		process.Detach(cmd)
	}
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errMissing
	case err != nil:
		return "", fmt.Errorf("%s could not sign with %s: %s; nothing was decided", program, s.Key, lastLine(said.String(), err))
	}
	return out.String(), nil
}

var errMissing = errors.New(program + " is not installed; install OpenSSH's client (8.2 or later)")

// lastLine returns the last line of a program's output, else its error.
func lastLine(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return err.Error()
}

// Signed is who signed a statement.
type Signed struct {
	By  string `json:"by"`  // principal of the allowed-signers file
	Key string `json:"key"` // type and fingerprint: "ED25519 SHA256:…"
}

// Verify returns who signed a statement. The error says why a signature does not count: another key, another statement, or none at all.
func Verify(ctx context.Context, allowed string, st Statement, signature string) (*Signed, error) {
	if _, err := os.Stat(allowed); err != nil {
		return nil, fmt.Errorf("the allowed-signers file: %w", err)
	}
	file, err := os.CreateTemp("", "gatehouse-*.sig")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(signature)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	principals, err := runKeygen(ctx, nil, "-Y", "find-principals", "-s", file.Name(), "-f", allowed)
	if errors.Is(err, errMissing) {
		return nil, err
	}
	by, _, _ := strings.Cut(strings.TrimSpace(principals), "\n")
	if err != nil || by == "" {
		return nil, fmt.Errorf("its key is not in %s", allowed)
	}
	said, err := runKeygen(ctx, st.signedBytes(), "-Y", "verify", "-f", allowed, "-I", by, "-n", namespace, "-s", file.Name())
	if err != nil {
		return nil, fmt.Errorf("the signature is not about this decision and this evidence, or no longer allowed (%w)", err)
	}
	// Good "gatehouse" signature for ann@example.org with ED25519 key SHA256:…
	_, key, _ := strings.Cut(strings.TrimSpace(said), " with ")
	return &Signed{By: by, Key: strings.Replace(key, " key ", " ", 1)}, nil
}

// runKeygen runs ssh-keygen and returns what it printed.
func runKeygen(ctx context.Context, input []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(input)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", errMissing
	case err != nil:
		return "", errors.New(lastLine(said.String()+string(out), err))
	}
	return string(out), nil
}

package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// ActorKind is the kind of caller that made a decision.
type ActorKind string

// The kinds of callers.
const (
	Human      ActorKind = "human"      // nothing says otherwise
	Agent      ActorKind = "agent"      // an agent's session
	Automation ActorKind = "automation" // a program that named itself with --as-agent
)

// The values of [Caller.How].
const (
	HowKey     = "key"     // a key of the dashboard
	HowCommand = "command" // a command line
	HowRemote  = "remote"  // a request of another machine
)

// NoTTY is the [Caller.TTY] of a process without a terminal.
const NoTTY = "none"

// Caller identifies the maker of a decision, as far as the system can tell. Except for a signature, a program of the
// same user can forge all of it.
type Caller struct {
	Actor   ActorKind `json:"actor,omitempty"`
	Client  string    `json:"client,omitempty"`  // the agent's client, or the name of the automation
	Session string    `json:"session,omitempty"` // the client's ID of the session
	Chain   []string  `json:"chain,omitempty"`   // programs from the deciding process upward: "gatehouse", "zsh"
	TTY     string    `json:"tty,omitempty"`     // path of the terminal, or "none"
	How     string    `json:"how,omitempty"`     // key, command, web, remote or reported
}

// Signature is a signature by a key of the user about a decision.
type Signature struct {
	At       time.Time `json:"at"`       // when it was made, as signed
	Project  string    `json:"project"`  // name of the project's directory, as signed
	Is       string    `json:"is"`       // the status that the decision makes, as signed
	Evidence string    `json:"evidence"` // hash of the evidence, as signed
	Text     string    `json:"text"`     // the signature itself, as ssh-keygen writes it
}

// HashEvidence returns one hash for the files that a gate is judged by, without the file that the decision itself changes.
func HashEvidence(files []Evidenced, changed string) string {
	hash := sha256.New()
	for _, f := range files {
		if f.File != changed {
			fmt.Fprintf(hash, "%q %q\n", f.File, f.Hash)
		}
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}

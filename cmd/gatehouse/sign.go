package main

// Signed decisions: when they are signed, and how.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"time"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/sign"
)

// signAlways is the rule of the setting sign that means every decision.
const signAlways = "always"

// checkSignRule returns the error of a rule of the setting sign.
func checkSignRule(text string) error {
	fields := strings.Fields(text)
	if len(fields) == 0 || len(fields) > 2 {
		return fmt.Errorf("%q is no rule", text)
	}
	for _, pattern := range fields {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q: %w", pattern, err)
		}
	}
	return nil
}

// mustSign reports whether a decision is to be signed: by --sign, or by a rule of the configuration.
func (s *env) mustSign(project, node string) bool {
	return s.signs || s.signRule(project, node) != ""
}

// signRule returns the rule of the configuration that requires a signature, "" if none does.
func (s *env) signRule(project, node string) string {
	for _, rule := range s.readConfig().Texts(settingSign) {
		fields := strings.Fields(rule)
		if rule == signAlways || matchesPath(config.PathOf(fields[0], s.user.Home), fields[0], project) && (len(fields) == 1 || matchesGate(fields[1], node)) {
			return rule
		}
	}
	return ""
}

// matchesPath reports whether the pattern of a rule is for a project.
func matchesPath(pattern, as, project string) bool {
	if as == "*" {
		return true
	}
	matches, _ := path.Match(filepath.ToSlash(pattern), filepath.ToSlash(project))
	return matches || filepath.ToSlash(realPath(pattern)) == filepath.ToSlash(realPath(project))
}

// matchesGate reports whether the pattern of a rule is for a gate, by its whole ID or without the kind before it.
func matchesGate(pattern, node string) bool {
	_, name, _ := strings.Cut(node, "/")
	for _, id := range []string{node, name} {
		if matches, _ := path.Match(pattern, id); matches {
			return true
		}
	}
	return pattern == "*"
}

// signDecision signs what is known of a decision. On a terminal ssh-keygen may ask for a touch or a passphrase.
func (s *env) signDecision(ctx context.Context, d model.Decision, evidence string, terminal io.Writer) (*model.Signature, error) {
	key := s.readConfig().Text(settingSignKey)
	if key == "" {
		return nil, errors.New("the decision is to be signed and no key is configured; set sign_key, like sign_key: ~/.ssh/id_ed25519_sk.pub")
	}
	d.Signature = &model.Signature{At: s.now().UTC().Truncate(time.Second), Project: filepath.Base(d.Project), Is: d.Is, Evidence: evidence}
	signer := sign.Signer{Key: config.PathOf(key, s.user.Home), Terminal: terminal}
	text, err := signer.Sign(ctx, sign.Of(&d))
	d.Signature.Text = text
	return d.Signature, err
}

// signAnswer returns a function that signs answers to live agents.
func (s *env) signAnswer(terminal io.Writer) func(*model.Decision, string) error {
	return func(d *model.Decision, evidence string) (err error) {
		if s.mustSign(d.Project, d.Node) {
			d.Signature, err = s.signDecision(context.Background(), *d, evidence, terminal)
		}
		return err
	}
}

// signingActor is an actor whose decisions are signed if a flag or a setting asks for it.
type signingActor struct {
	*parse.Actions
	s        *env
	terminal io.Writer // nil: the dashboard has it
}

// Propose implements [model.Actor]. That a gate is closed already counts only if the decision was signed; the file of its signature is
// written again, in case a run was killed before it did so.
func (x signingActor) Propose(ctx context.Context, a model.Action) (*model.Proposal, error) {
	p, err := x.Actions.Propose(ctx, a)
	var refused *model.Refusal
	if !errors.As(err, &refused) || !refused.Already || a.Verb != model.VerbApprove && a.Verb != model.VerbSkip || !x.s.mustSign(a.Project, a.Node) {
		return p, err
	}
	last, unread := x.Last(a)
	switch {
	case unread != nil:
		return nil, unread
	case last == nil || last.Verb != a.Verb || last.Signature == nil:
		return nil, &model.Refusal{Text: refused.Text + ", and nobody signed that", Fix: "undo the decision, and sign it then"}
	}
	return nil, errors.Join(err, x.writeFile(ctx, a.Project, last))
}

// Do implements [model.Actor]. The decision is signed before the state file is locked, and refused if its evidence changes meanwhile.
func (x signingActor) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	if !x.s.mustSign(a.Project, a.Node) {
		return x.Actions.Do(ctx, a)
	}
	p, err := x.Propose(ctx, a)
	if err != nil {
		return nil, err
	}
	d, evidence, err := x.ToSign(a)
	if err != nil {
		return nil, err
	}
	if a.Shown == "" {
		a.Shown = p.Action.Shown
	}
	if a.Signature, err = x.s.signDecision(ctx, d, evidence, x.terminal); err != nil {
		return nil, err
	}
	o, err := x.Actions.Do(ctx, a)
	if o != nil && o.Decision.Signature != nil {
		err = errors.Join(err, x.writeFile(ctx, a.Project, &o.Decision))
	}
	return o, err
}

// writeFile writes the signature of a decision about a gate next to the state file, if the configuration asks for it.
func (x signingActor) writeFile(ctx context.Context, root string, d *model.Decision) error {
	isGate := d.Node != "" && d.Verb != model.VerbAdd && d.Verb != model.VerbDismiss
	if !isGate || x.s.readConfig().Text(settingSignFile) != "true" {
		return nil
	}
	name := sign.FileName(d.File, d.Node)
	at := statefile.Target{Path: filepath.Join(root, filepath.FromSlash(name)), Within: []string{root}}
	_, err := statefile.NewStore(x.s.user.System).Put(ctx, at, func(string, bool) (string, error) { return sign.Encode(d), nil })
	if err != nil && !errors.Is(err, statefile.ErrNothing) {
		return fmt.Errorf("%s is written all the same, and the journal has the signature; %s, the file of it, is not written: %w; the same command again writes it", d.File, name, err)
	}
	return nil
}

// checkedActor is an actor that refuses decisions: on a host those that have to be signed, as decisions from other machines are unsigned;
// in a dashboard those on other machines that have to be signed.
type checkedActor struct {
	model.Actor
	check func(project, node string) error
}

// Do implements [model.Actor].
func (x checkedActor) Do(ctx context.Context, a model.Action) (*model.Outcome, error) {
	if err := x.check(a.Project, a.Node); err != nil {
		return nil, err
	}
	return x.Actor.Do(ctx, a)
}

// refuseUnsigned refuses a decision without a signature if the configuration wants one.
func (s *env) refuseUnsigned(project, node string) error {
	if rule := s.signRule(project, node); rule != "" {
		return &model.Refusal{Text: "this host has decisions like this one signed (sign: " + rule + ")", Fix: "decide on the host itself"}
	}
	return nil
}

// checkSignable refuses a decision on another machine that has to be signed: it cannot be signed from here.
func (s *env) checkSignable(project, node string) error {
	if s.mustSign(project, node) {
		return &model.Refusal{Text: "a decision on another machine cannot be signed from here", Fix: "sign it on that machine"}
	}
	return nil
}

package main

// Signed decisions: when and how decisions are signed, and gatehouse verify.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/config"
	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
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

// mustSign reports whether a decision has to be signed: by --sign, or by a rule of the configuration.
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

// matchesPath reports whether the pattern of a rule matches a project.
func matchesPath(pattern, as, project string) bool {
	if as == "*" {
		return true
	}
	matches, _ := path.Match(filepath.ToSlash(pattern), filepath.ToSlash(project))
	return matches || filepath.ToSlash(realPath(pattern)) == filepath.ToSlash(realPath(project))
}

// matchesGate reports whether the pattern of a rule matches a gate, by its complete ID or without the kind before it.
func matchesGate(pattern, node string) bool {
	_, name, _ := strings.Cut(node, "/")
	for _, id := range []string{node, name} {
		if matches, _ := path.Match(pattern, id); matches {
			return true
		}
	}
	return pattern == "*"
}

// signDecision signs the fields of a decision. On a terminal ssh-keygen may ask for a touch or a passphrase.
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
	terminal io.Writer // nil if the dashboard has it
}

// Propose implements [model.Actor]. A gate counts as already closed only if the decision was signed; its signature file is
// written again, in case an earlier run was killed before that.
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

// Do implements [model.Actor]. The decision is signed before the state file is locked, and refused if its evidence changes in between.
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

// checkedActor is an actor that refuses decisions: on a host those that need a signature, because decisions from other machines are unsigned;
// in a dashboard those on other machines that need a signature.
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

// checkSignable refuses a decision on another machine that needs a signature: it can't be signed here.
func (s *env) checkSignable(project, node string) error {
	if s.mustSign(project, node) {
		return &model.Refusal{Text: "a decision on another machine cannot be signed from here", Fix: "sign it on that machine"}
	}
	return nil
}

// verifiedJSON is the document of "gatehouse verify --json".
type verifiedJSON struct {
	Schema int        `json:"schema"`
	Result string     `json:"result"`         // signed or unsigned
	Gate   string     `json:"gate"`           // ID of its node
	Build  string     `json:"build"`          // ID
	Verb   model.Verb `json:"verb,omitempty"` // approve or skip; absent if unsigned, as are the next four
	By     string     `json:"by,omitempty"`   // who signed, as the allowed-signers file has it
	Key    string     `json:"key,omitempty"`  // type and fingerprint
	At     time.Time  `json:"at,omitzero"`    // when it was signed, as the signer says
	From   string     `json:"from,omitempty"` // journal, or the path of the signature file
	Why    string     `json:"why,omitempty"`  // why it is unsigned
}

// verifyFlags are the flags for checking signatures.
type verifyFlags struct {
	allowed string // file of allowed signers
	project string // name of the project in the signature
}

// addTo gives a command the flags.
func (v *verifyFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&v.allowed, "allowed-signers", "", "`file` of the keys that count, as ssh-keygen reads it; by default that of the setting allowed_signers")
	cmd.Flags().StringVar(&v.project, "project", "", "`name` of the project's directory where it was signed; by default the name it has here")
}

func newVerify(s *env) *cobra.Command {
	var pl target
	var v verifyFlags
	cmd := &cobra.Command{
		Use:   "verify GATE",
		Short: "Check that a signed decision closed a gate",
		Long: `Check that a signed decision closed a gate: it is passed or skipped, the decision is
signed by a key of the allowed-signers file, and its evidence has not changed since. It
exits 1 otherwise. The signature is taken from the journal, or from
STATEFILE.GATE.sig beside the state file (setting sign_file), for CI.

What a signature proves, and what not, is in docs/security.md.`,
		Example:           "  gatehouse verify frame-gate --allowed-signers .ci/allowed_signers",
		Args:              oneGate,
		ValidArgsFunction: pl.completeGates(s, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, g, err := pl.findGate(s, args[0])
			if err != nil {
				return err
			}
			found, err := v.checkSignature(cmd.Context(), s, p, g.Build, g.Node)
			switch {
			case errors.As(err, new(usageError)):
				return err
			case err != nil && !s.asJSON:
				return fmt.Errorf("%s: %w", g.Name, err)
			case err != nil:
				unsigned := verifiedJSON{Schema: remote.Schema, Result: "unsigned", Gate: g.Node.ID, Build: g.Build.ID, Why: err.Error()}
				return errors.Join(s.out.printJSON(unsigned), refusal{})
			case s.asJSON:
				return s.out.printJSON(found)
			}
			s.out.printf("%s: %s signed by %s (%s) at %s, %s\n", line.Name(g.Name), string(found.Verb), found.By, found.Key, found.At.In(s.now().Location()).Format(time.DateTime), found.From)
			return nil
		},
	}
	pl.addTo(s, cmd)
	v.addTo(cmd)
	s.jsonFlag(cmd, "print what was found as JSON")
	return cmd
}

// signersFile returns the allowed-signers file.
func (v *verifyFlags) signersFile(s *env) (string, error) {
	if v.allowed != "" {
		return v.allowed, nil
	}
	if set := s.readConfig().Text(settingAllowed); set != "" {
		return config.PathOf(set, s.user.Home), nil
	}
	return "", usageError{errors.New("which keys count? name their file with --allowed-signers, or set allowed_signers in the configuration")}
}

// recheckSignature is [checkSignature] for a gate in the current files.
func (v *verifyFlags) recheckSignature(ctx context.Context, s *env, p *parse.Project, g namedGate) error {
	p.Touch()
	for _, b := range p.Read(s.now()).Builds {
		if n, _ := b.Find(g.Node.ID); n != nil && b.ID == g.Build.ID {
			_, err := v.checkSignature(ctx, s, p, b, n)
			return err
		}
	}
	return errors.New("the gate is gone")
}

// closing maps the status of a closed gate to the verb that closed it.
var closing = map[model.Status]model.Verb{model.Done: model.VerbApprove, model.Skipped: model.VerbSkip}

// checkSignature returns who signed the decision that closed a gate. The error says why there is no such signature.
func (v *verifyFlags) checkSignature(ctx context.Context, s *env, p *parse.Project, b *model.Build, n *model.Node) (*verifiedJSON, error) {
	allowed, err := v.signersFile(s)
	if err != nil {
		return nil, err
	}
	verb, closed := closing[n.Status]
	if !closed {
		return nil, errors.New("it is neither passed nor skipped")
	}
	f, from, err := signatureOf(s, p, b, n)
	if err != nil {
		return nil, err
	}
	st, name := f.Statement, cmp.Or(v.project, filepath.Base(realPath(p.Root())))
	evidence, err := parse.NewActions([]*parse.Project{p}, byCommand, s.now).Evidence(model.Action{Project: p.Root(), Build: b.ID, Node: n.ID})
	switch {
	case err != nil:
		return nil, err
	case st.Project != name:
		return nil, fmt.Errorf("the signature is for a project called %s; if that is this one, say --project %[1]s", line.Name(st.Project))
	case st.Build != b.ID || st.Gate != n.ID || st.Verb != verb || !strings.EqualFold(st.Is, n.Raw):
		return nil, fmt.Errorf("the signature is for another decision: %s %s of %s (%s)", line.Name(string(st.Verb)), line.Name(st.Gate), line.Name(st.Build), line.Name(st.Is))
	case st.At.Before(b.Began.Truncate(time.Second)):
		return nil, errors.New("the signature is older than this work, which began later")
	case st.Evidence != model.HashEvidence(evidence, st.File):
		return nil, errors.New("what it was judged by has changed since it was signed")
	}
	signed, err := sign.Verify(ctx, allowed, st, f.Signature)
	if err != nil {
		return nil, err
	}
	return &verifiedJSON{Schema: remote.Schema, Result: "signed", Gate: n.ID, Build: b.ID, Verb: verb, By: signed.By, Key: signed.Key, At: st.At, From: from}, nil
}

// signatureOf returns the signature of the last decision on a gate: from the journal, else from the file next to the state file if
// the journal has no later decision. A damaged journal may lack later decisions.
func signatureOf(s *env, p *parse.Project, b *model.Build, n *model.Node) (f sign.File, from string, err error) {
	all, err := parse.Decisions([]*parse.Project{p}, s.now())
	if err != nil {
		return f, "", err
	}
	unsigned := errors.New("not signed: neither the journal nor a file beside the state file has a signature")
	var decided time.Time
	if i := slices.IndexFunc(all, func(d model.Decision) bool { return d.Build == b.ID && d.Node == n.ID && !d.Interrupted }); i >= 0 {
		d := &all[i]
		decided = d.At.Truncate(time.Second)
		switch {
		case d.Overwritten:
			return f, "", errors.New("the decision was overwritten by another writer")
		case d.Verb == model.VerbUndo:
			unsigned = errors.New("the decision was taken back")
		case d.Signature != nil:
			return sign.File{Statement: sign.Of(d), Signature: d.Signature.Text}, "journal", nil
		default:
			unsigned = fmt.Errorf("%s decided it (%s, %s) without a signature", d.Who, d.Verb, describeMeans(d))
		}
	}
	for _, file := range []string{n.Source.File, b.File} {
		name := sign.FileName(file, n.ID)
		text, unread := p.Text(name)
		if file == "" || unread != nil {
			continue
		}
		if f, err = sign.Decode(text); err != nil {
			return f, "", fmt.Errorf("%s: %w", name, err)
		}
		if f.Statement.At.After(decided) {
			return f, name, nil
		}
	}
	return sign.File{}, "", unsigned
}

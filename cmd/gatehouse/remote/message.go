package remote

// Messages of other machines: limited in size before they are parsed, and cleaned before they are shown. Requests of dashboards are the
// verbs of the command line, and two reads; a reply to a verb is the output of the command with --json.

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Limits of messages, in bytes.
const (
	packedLimit   = 384 << 10 // of a packed document; a hub takes a megabyte
	documentLimit = 8 << 20   // of a document. A build of 10,000 nodes has three million
	presenceLimit = 16 << 10
	requestLimit  = 192 << 10 // the longest text of a human is 64 KiB
	replyLimit    = 16 << 20
	packFrom      = 4 << 10 // longer messages are packed
)

// Limits within a message.
const (
	maxDepth  = 100     // nesting depth of its nodes
	maxValues = 400_000 // number of values: the parser may allocate a whole node for a number
	maxObject = 200_000 // number of objects among them
	maxText   = 16 << 10
	maxName   = 4096
	maxCount  = 1<<31 - 1 // of whole numbers that count something
	maxLong   = 1 << 50   // of sizes and durations
)

var (
	errOlder   = errors.New("gatehouse there is older than here; update it there")
	errNewer   = errors.New("gatehouse there is newer than here; update it here")
	errTooMuch = errors.New("it has too many values")
)

// checkVersion fails if the version of a message is not the one that is read here, and says which machine to update.
func checkVersion(sent, read int) error {
	switch {
	case sent < read:
		return errOlder
	case sent > read:
		return errNewer
	}
	return nil
}

// parseMessage parses a message of at most limit bytes, which may be packed, into v, and returns its size, packed or
// not, whichever is larger.
func parseMessage(data []byte, limit int, v any) (size int, err error) {
	if size = len(data); size > limit {
		return 0, fmt.Errorf("it has %d bytes, and 1 to %d are allowed", size, limit)
	}
	if data, err = unpackMessage(data, limit); err != nil {
		return 0, errors.New("it is packed in a way that can't be read")
	}
	if len(data) == 0 || len(data) > limit {
		return 0, fmt.Errorf("it has %d bytes, and 1 to %d are allowed", len(data), limit)
	}
	if err := checkShape(data); err != nil {
		return 0, err
	}
	if json.Unmarshal(data, v) != nil {
		return 0, errors.New("it is no document of gatehouse")
	}
	return max(size, len(data)), nil
}

// checkShape fails for a message of too many values, before memory is allocated for them. Signs within texts count, too.
func checkShape(data []byte) error {
	if bytes.Count(data, []byte{','})+bytes.Count(data, []byte{'['}) > maxValues || bytes.Count(data, []byte{'{'}) > maxObject {
		return errTooMuch
	}
	return nil
}

// packers keeps writers, which allocate a megabyte each.
var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid, so there is no error
	return w
}}

// packMessage packs a message if that is worth it, and unpackMessage returns the original, or a byte more than the limit.
func packMessage(data []byte) []byte {
	if len(data) < packFrom {
		return data
	}
	var b bytes.Buffer
	w := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	w.Reset(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func unpackMessage(data []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, int64(limit)+1))
}

// exact lists the fields that identify something to the host. They are not cleaned, because they are sent back. The code that draws them
// cleans them, like file names.
var exact = map[string]bool{
	"ID": true, "Node": true, "Nodes": true, "Build": true, "Project": true, "Dir": true, "File": true, "Root": true, "Now": true, "Undoes": true,
	"Host": true, "DependsOn": true, "BlockedBy": true, "Opens": true, "Session": true, "Held": true,
}

// bodies lists the fields with texts of many lines. A human decides about them, so they are never cut.
var bodies = map[string]bool{"Plan": true, "Preview": true, "Input": true, "Diff": true, "Message": true}

// decoder cleans a parsed message in place.
type decoder struct {
	ahead time.Duration // how far the host's clock is ahead of ours
	err   error         // the first error
}

func (d *decoder) setError(text string) {
	if d.err == nil {
		d.err = errors.New(text)
	}
}

// cleanValue cleans everything below v.
func (d *decoder) cleanValue(v reflect.Value) { d.cleanField(v, "") }

func (d *decoder) cleanField(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			d.cleanField(v.Elem(), name)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 { // a document in a reply is decoded separately
			return
		}
		for i := range v.Len() {
			if v.Index(i).Kind() == reflect.Pointer && v.Index(i).IsNil() {
				d.setError("a list in it holds null")
			}
			d.cleanField(v.Index(i), name)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			t := v.Addr().Interface().(*time.Time)
			*t = byOurClock(*t, d.ahead)
			return
		}
		for _, f := range fieldsOf(v.Type()) {
			d.cleanField(v.Field(f.at), f.name)
		}
	case reflect.Int, reflect.Int32:
		v.SetInt(min(max(v.Int(), 0), maxCount))
	case reflect.Int64:
		v.SetInt(min(max(v.Int(), 0), maxLong))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(min(max(v.Float(), -maxLong), maxLong))
	case reflect.String:
		switch {
		case bodies[name]:
			v.SetString(cleanBody(v.String()))
		case !exact[name]:
			v.SetString(cleanText(v.String()))
		case len(v.String()) > maxName || strings.ContainsRune(v.String(), 0) || !utf8.ValidString(v.String()):
			d.setError("a name in it is none")
		}
	}
}

// sentField is a field of a struct that is sent.
type sentField struct {
	at   int
	name string
}

var sentFields sync.Map // of reflect.Type: []sentField

// fieldsOf returns the fields of a struct that are sent. A standing is sent as flags of the nodes and waits that have one.
func fieldsOf(t reflect.Type) []sentField {
	if known, ok := sentFields.Load(t); ok {
		return known.([]sentField)
	}
	var all []sentField
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && (f.Tag.Get("json") != "-" || f.Type == reflect.TypeFor[model.Standing]()) {
			all = append(all, sentField{i, f.Name})
		}
	}
	sentFields.Store(t, all)
	return all
}

// earliest and latest limit times, so that they can be written as JSON in any zone.
var earliest, latest = time.Date(1, 1, 3, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 29, 0, 0, 0, 0, time.UTC)

// byOurClock converts a time of a host whose clock is ahead of ours; the result is zero if it can't be written as JSON.
func byOurClock(t time.Time, ahead time.Duration) time.Time {
	if ours := t.Add(-ahead); !t.IsZero() && !ours.Before(earliest) && !ours.After(latest) {
		return ours
	}
	return time.Time{}
}

// cleanText returns a text of another machine, cleaned and cut to a length that a screen can use.
func cleanText(s string) string { return cutText(line.Clean(cutText(s, maxText)), maxText) }

// cleanBody returns a text of many lines.
func cleanBody(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = line.Clean(l)
	}
	return strings.Join(lines, "\n")
}

// cutText returns at most n bytes of s, not ending within a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// The reads, in addition to the verbs of package model.
const (
	readText model.Verb = "show" // a file
	readAsk  model.Verb = "asks" // the complete ask of a live agent
)

// Wire is the version of the messages between hosts and dashboards, except documents. It increases when an earlier gatehouse would
// misread them.
const Wire = 2

// Presence reports that a host is live.
type Presence struct {
	Schema  int       `json:"schema"` // [Wire]
	Host    string    `json:"host"`
	Session string    `json:"session"` // ID of its process
	At      time.Time `json:"at"`      // by its clock
	Machine string    `json:"machine,omitempty"`
	Version string    `json:"version,omitempty"` // of gatehouse
	Dirs    []string  `json:"dirs,omitempty"`    // the directories that it joined with, for users
	Watch   string    `json:"watch,omitempty"`   // why changes may come late
	Ready   bool      `json:"ready,omitempty"`   // all its projects are published
	Left    bool      `json:"left,omitempty"`    // the host is leaving
}

const (
	presenceEvery = 5 * time.Second
	// SilentAfter is how long a host may be silent before it counts as offline: two missed presences, and two seconds.
	SilentAfter = 2*presenceEvery + 2*time.Second
	// publishEvery is the shortest time between two documents of a project.
	publishEvery = 250 * time.Millisecond
)

// Request asks a host to carry out a verb, or to read something.
type Request struct {
	Schema int    `json:"schema"`
	User   string `json:"user,omitempty"` // the user who sends it, checked by the hub
	model.Action
	DryRun bool          `json:"dry_run,omitempty"`
	Ask    string        `json:"ask,omitempty"` // ID of the ask that is answered or read
	Answer *model.Answer `json:"answer,omitempty"`
	Path   string        `json:"file,omitempty"` // the file to read
}

// isDecision reports whether a request may change something.
func (r *Request) isDecision() bool {
	switch r.Verb {
	case readText, readAsk:
		return false
	case model.VerbAnswer: // an answer has no dry run
		return true
	}
	return !r.DryRun
}

// Outcome is the output of a command that decides, with --json.
type Outcome struct {
	Schema   int             `json:"schema"`
	Result   string          `json:"result"`           // done, already, dry-run or overwritten; from other machines refused, changed and failed, too
	Note     string          `json:"note,omitempty"`   // reason why nothing had to be written
	Gate     string          `json:"gate,omitempty"`   // the node's ID; "" for what is about the build
	Build    string          `json:"build,omitempty"`  // ID
	Effect   string          `json:"effect,omitempty"` // "pending → passed"
	File     string          `json:"file,omitempty"`   // that is written, relative to the project's root, "/"-separated
	Edits    []model.Edit    `json:"edits"`            // the values that change
	Releases []string        `json:"releases"`         // steps that may begin then: "Phase SHAPE"
	Missing  []string        `json:"missing"`          // names of deliverables that are not there
	Warnings []string        `json:"warnings"`         // to read before deciding
	Decision *model.Decision `json:"decision,omitempty"`
}

// The results of a decision.
const (
	ResultDone        = "done"
	ResultAlready     = "already" // nothing had to be written
	ResultDryRun      = "dry-run"
	ResultOverwritten = "overwritten"
	resultRefused     = "refused"
	resultChanged     = "changed"
	resultFailed      = "failed"
)

// NewOutcome returns the output for an outcome.
func NewOutcome(result string, o *model.Outcome) Outcome {
	p := o.Proposal
	if p == nil {
		p = &model.Proposal{}
	}
	return Outcome{
		Schema: Schema, Result: result, Note: o.Note, Gate: p.Action.Node, Build: p.Action.Build, Effect: p.Effect, File: p.File,
		Edits: nonNil(p.Edits), Releases: nonNil(p.Releases), Missing: nonNil(p.Missing), Warnings: nonNil(p.Warnings),
	}
}

// Reply is the answer of a host.
type Reply struct {
	Outcome
	IfSeen   string          `json:"if_seen,omitempty"`  // of a dry run: the hash to bind the decision to
	Proposal *model.Proposal `json:"proposal,omitempty"` // of a dry run or a changed target: the effect now
	Code     string          `json:"code,omitempty"`     // of a refusal
	Why      string          `json:"why,omitempty"`
	Fix      string          `json:"fix,omitempty"`
	Ask      *model.Ask      `json:"ask,omitempty"`
	Text     string          `json:"text,omitempty"` // of a file
}

const (
	maxEdits = 200     // of a proposal: some proposals change thousands of similar values
	maxValue = 1 << 10 // bytes of a value that an edit changes
)

// sentProposal returns a proposal in the form that is sent, nil for none.
func sentProposal(p *model.Proposal) *model.Proposal {
	if p == nil {
		return nil
	}
	sent := *p
	sent.Action.Looked, sent.Asks = nil, cutText(p.Asks, maxText)
	sent.Edits = slices.Clone(p.Edits[:min(len(p.Edits), maxEdits)])
	for i := range sent.Edits {
		e := &sent.Edits[i]
		e.Old, e.New = cutText(e.Old, maxValue), cutText(e.New, maxValue)
	}
	if len(p.Edits) > maxEdits {
		sent.Warnings = append(slices.Clip(sent.Warnings), "more values change than are shown")
	}
	return &sent
}

// setError sets the fields that describe an error.
func (r *Reply) setError(err error) {
	var refusal *model.Refusal
	var changed *model.Changed
	switch {
	case err == nil:
	case errors.As(err, &changed):
		r.Result, r.Proposal = resultChanged, sentProposal(changed.Now)
		if changed.Why != nil {
			r.Why = cutText(line.Clean(changed.Why.Error()), maxText)
		}
	case errors.As(err, &refusal):
		r.Result, r.Code, r.Why, r.Fix = resultRefused, refusal.Code, cutText(refusal.Text, maxText), cutText(refusal.Fix, maxText)
		if refusal.Already {
			r.Result, r.Note = ResultAlready, r.Why
		}
	default:
		r.Result, r.Why = resultFailed, cutText(line.Clean(err.Error()), maxText)
	}
}

// err returns the error of a reply, nil for none.
func (r *Reply) err() error {
	switch r.Result {
	case resultChanged:
		c := &model.Changed{Now: r.Proposal}
		if r.Why != "" {
			c.Why = errors.New(r.Why)
		} else if c.Now == nil {
			c.Why = errors.New("look at it again")
		}
		return c
	case resultRefused, ResultAlready:
		return &model.Refusal{Code: r.Code, Text: cmp.Or(r.Why, r.Note), Fix: r.Fix, Already: r.Result == ResultAlready}
	case resultFailed:
		return errors.New(r.Why)
	}
	return nil
}

// parseRequest parses a request, and refuses one without a valid answer.
func parseRequest(data []byte) (*Request, error) {
	var r Request
	if _, err := parseMessage(data, requestLimit, &r); err != nil {
		return nil, err
	}
	if err := checkVersion(Schema, r.Schema); err != nil { // worded for the dashboard: "there" is this host
		return nil, err
	}
	for _, s := range []string{string(r.Verb), r.Project, r.Build, r.Node, r.Kind, r.Shown, r.IfSeen, r.Ask, r.Path, r.User} {
		if len(s) > maxName || strings.ContainsRune(s, 0) {
			return nil, errors.New("a name in it is none")
		}
	}
	if r.Verb == model.VerbAnswer && (r.Ask == "" || r.Answer == nil) {
		return nil, errors.New("it does not say what is answered, or how")
	}
	r.File, r.Signature, r.Seen = "", nil, ""
	return &r, nil
}

// parseReply parses and cleans a reply, and converts its times to our clock.
func parseReply(data []byte, ahead time.Duration) (*Reply, error) {
	var r Reply
	if _, err := parseMessage(data, replyLimit, &r); err != nil {
		return nil, err
	}
	if err := checkVersion(r.Schema, Schema); err != nil {
		return nil, err
	}
	file := r.Text
	r.Text = ""
	d := decoder{ahead: ahead}
	d.cleanValue(reflect.ValueOf(&r))
	r.Text = file // the pane cleans it, as it does local files
	return &r, d.err
}

// Subjects of a hub.
const (
	bucket       = "gatehouse"
	keySubjects  = "$KV." + bucket + "."
	keys         = "gh." // and the host
	readSubject  = "gatehouse.read."
	writeSubject = "gatehouse.do."
	nameSubject  = "gatehouse.name."
	userInbox    = "_INBOX_user_"
	hostInbox    = "_INBOX_host_"
)

// hostKey returns the key of a host's presence.
func hostKey(host string) string { return keys + subjectToken(host) }

// subjectFor returns the subject of a user's requests to a host; an empty name stands for any.
func subjectFor(decides bool, host, user string) string {
	at := func(name string) string {
		if name == "" {
			return "*"
		}
		return subjectToken(name)
	}
	if decides {
		return writeSubject + at(host) + "." + at(user)
	}
	return readSubject + at(host) + "." + at(user)
}

const (
	tokenLimit = 80 // the longest token in bytes that is not cut
	tokenKeeps = 40 // bytes that are kept of a longer one
)

// subjectToken encodes a name as one token of a subject or key: letters, digits, "-" and "_" stay, any other byte becomes "=" and two
// hexadecimal digits. A long name is cut and followed by "==" and a hash.
func subjectToken(name string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			b.Write([]byte{'=', digits[c>>4], digits[c&15]})
		}
	}
	switch {
	case name == "":
		return "="
	case b.Len() <= tokenLimit:
		return b.String()
	}
	kept := b.String()[:tokenKeeps]
	if i := strings.LastIndexByte(kept, '='); i >= len(kept)-2 {
		kept = kept[:i]
	}
	sum := sha256.Sum256([]byte(name))
	return kept + "==" + hex.EncodeToString(sum[:8])
}

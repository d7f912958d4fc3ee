// What a dashboard asks of a host, and what it is told.

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// The kinds of requests.
const (
	AskList    = "list"
	AskTree    = "tree"
	AskText    = "text"
	AskAsk     = "ask"
	AskPropose = "propose"
	AskDecide  = "decide"
	AskOutcome = "outcome"
	AskSettle  = "settle"
)

// Changes reports whether requests of a kind belong to those that change something, or are about such.
func Changes(kind string) bool { return kind == AskDecide || kind == AskOutcome || kind == AskSettle }

// Decides reports whether a request, as it was sent, is one to do something.
func Decides(data []byte) bool {
	var r struct{ Request string }
	return unpack(data, RequestLimit, &r) == nil && r.Request == AskDecide
}

// Request is what a dashboard asks.
type Request struct {
	V       int    `json:"v"`
	Request string `json:"request"` // its kind
	// ID is that of a decision: the same ID with the same bytes is the same decision, however often it comes. See [NewID].
	ID     string        `json:"id,omitempty"`
	Action *model.Action `json:"action,omitempty"` // of propose and decide
	// Ask is the ID of what a live agent asks, of ask, and of decide with the verb "answer", which has the Answer.
	Ask    string        `json:"ask,omitempty"`
	Answer *model.Answer `json:"answer,omitempty"`
	// Root, Build and File name what a tree or text is wanted of.
	Root  string `json:"root,omitempty"`
	Build string `json:"build,omitempty"`
	File  string `json:"file,omitempty"`
	// Part is which part is wanted, from 0, and Etag of which content; "" with the first. With Have, a content that is the
	// same is not sent again.
	Part int    `json:"part,omitempty"`
	Etag string `json:"etag,omitempty"`
	Have string `json:"have,omitempty"`
}

// Reply is what a host answers. Behind its JSON and a line feed the bytes of a part may follow.
type Reply struct {
	V     int       `json:"v"`
	Reply string    `json:"reply"` // the kind of the request
	At    time.Time `json:"at"`    // by the host's clock
	Error *Error    `json:"error,omitempty"`
	// Of what comes in parts: which content it is, of how many parts, and of which length in all. Same: it is the one that
	// the dashboard has. Packed: it was packed with gzip before it was cut into parts.
	Etag   string `json:"etag,omitempty"`
	Parts  int    `json:"parts,omitempty"`
	Size   int    `json:"size,omitempty"`
	Same   bool   `json:"same,omitempty"`
	Packed bool   `json:"packed,omitempty"`

	Proposal *model.Proposal `json:"proposal,omitempty"`
	Outcome  *model.Outcome  `json:"outcome,omitempty"`
	// Asked is what a live agent asks, without its long texts, once it was answered.
	Asked *model.Ask `json:"asked,omitempty"`
	// Working says that the decision is being carried out, Withdrawn that it had not come, and will not be done any more.
	Working   bool `json:"working,omitempty"`
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// What of a proposal is sent at most: some change thousands of values alike.
const maxEdits = 200

// EncodeProposal returns a proposal as it is sent, nil for none.
func EncodeProposal(p *model.Proposal) *model.Proposal {
	if p == nil {
		return nil
	}
	sent := *p
	sent.Action.Looked, sent.Asks = nil, cut(p.Asks, maxText)
	sent.Edits = slices.Clone(p.Edits[:min(len(p.Edits), maxEdits)])
	for i := range sent.Edits { // only the host writes them
		e := &sent.Edits[i]
		e.Old, e.New = cut(e.Old, summaryText), cut(e.New, summaryText)
	}
	if n := len(p.Edits) - maxEdits; n > 0 {
		sent.Warnings = append(slices.Clip(sent.Warnings), fmt.Sprintf("%d more values change than are shown", n))
	}
	return &sent
}

// EncodeOutcome returns an outcome as it is sent, nil for none.
func EncodeOutcome(o *model.Outcome) *model.Outcome {
	if o == nil {
		return nil
	}
	return &model.Outcome{Proposal: EncodeProposal(o.Proposal), Decision: withoutBytes(o.Decision), Note: o.Note}
}

// EncodeAsk returns what a live agent asks as it is sent whole.
func EncodeAsk(a *model.Ask) []byte { return pack(a) }

// Briefly returns what a live agent asks without its long texts, nil for none.
func Briefly(a *model.Ask) *model.Ask {
	if a == nil {
		return nil
	}
	brief := *a
	brief.Plan, brief.Message = "", ""
	if a.Call != nil {
		call := *a.Call
		call.Input, call.Diff = cut(call.Input, summaryText), ""
		brief.Call = &call
	}
	brief.Questions = slices.Clone(a.Questions)
	for i := range brief.Questions {
		q := &brief.Questions[i]
		q.Options = slices.Clone(q.Options)
		for j := range q.Options {
			q.Options[j].Preview = ""
		}
	}
	return &brief
}

// Clean makes what the reply says fit for the model, times by our clock; it fails where it contradicts itself.
func (r *Reply) Clean(ahead time.Duration) error {
	d := &decoder{ahead: ahead}
	d.clean(reflect.ValueOf(r))
	if o := r.Outcome; o != nil && o.Proposal == nil {
		o.Proposal = &model.Proposal{}
	}
	return d.err
}

// CodeAgain is the code of the refusal of a part of what has changed meanwhile.
const CodeAgain = "E_AGAIN"

// The kinds of errors.
const (
	errRefusal     = "refusal"
	errChanged     = "changed"
	errOverwritten = "overwritten"
	errFailed      = "failed"
)

// Error says why something was not done, or not as it should.
type Error struct {
	Kind    string          `json:"kind"` // "refusal", "changed", "overwritten", "failed"
	Code    string          `json:"code,omitempty"`
	Text    string          `json:"text,omitempty"`
	Fix     string          `json:"fix,omitempty"`
	Already bool            `json:"already,omitempty"`
	Now     *model.Proposal `json:"now,omitempty"` // of changed
	Why     *Error          `json:"why,omitempty"`
	File    string          `json:"file,omitempty"` // of overwritten
	Lost    []string        `json:"lost,omitempty"`
}

// EncodeError returns an error, nil for none.
func EncodeError(err error) *Error {
	var refusal *model.Refusal
	var changed *model.Changed
	var over *model.Overwritten
	switch {
	case err == nil:
		return nil
	case errors.As(err, &changed):
		return &Error{Kind: errChanged, Now: EncodeProposal(changed.Now), Why: EncodeError(changed.Why)}
	case errors.As(err, &over):
		return &Error{Kind: errOverwritten, File: over.File, Lost: over.Lost}
	case errors.As(err, &refusal):
		return &Error{Kind: errRefusal, Code: refusal.Code, Text: cut(refusal.Text, maxText), Fix: cut(refusal.Fix, maxText), Already: refusal.Already}
	}
	return &Error{Kind: errFailed, Text: cut(line.Clean(err.Error()), maxText)}
}

// Err returns the error, nil for none.
func (e *Error) Err() error {
	switch {
	case e == nil:
		return nil
	case e.Kind == errChanged:
		return &model.Changed{Now: e.Now, Why: e.Why.Err()}
	case e.Kind == errOverwritten:
		return &model.Overwritten{File: e.File, Lost: e.Lost}
	case e.Kind == errRefusal:
		return &model.Refusal{Code: e.Code, Text: e.Text, Fix: e.Fix, Already: e.Already}
	}
	return errors.New(e.Text)
}

// ParseRequest reads a request, and refuses one that nobody could answer.
func ParseRequest(data []byte) (*Request, error) {
	var r Request
	if err := unpack(data, RequestLimit, &r); err != nil {
		return nil, err
	}
	switch {
	case r.V > Version:
		return nil, ErrNewer
	case r.V < 1 || r.Part < 0:
		return nil, errors.New("it lacks what each request begins with")
	}
	for _, s := range []string{r.Root, r.Build, r.File, r.Etag, r.Have, r.Ask} {
		if _, err := name(s); err != nil {
			return nil, err
		}
	}
	switch r.Request {
	case AskList, AskTree, AskText, AskAsk:
		return &r, nil
	case AskPropose:
	case AskDecide, AskOutcome, AskSettle:
		if _, err := IDTime(r.ID); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("nobody knows here what %q asks for; update this host's gatehouse", text(cut(r.Request, 40)))
	}
	if r.Request != AskPropose && r.Request != AskDecide {
		return &r, nil
	}
	switch {
	case r.Action == nil:
		return nil, errors.New("it names no action")
	case r.Action.Verb == model.VerbAnswer && (r.Ask == "" || r.Answer == nil):
		return nil, errors.New("it does not say what is answered, or how")
	}
	for _, s := range []string{string(r.Action.Verb), r.Action.Project, r.Action.Build, r.Action.Node, r.Action.Kind, r.Action.Seen, r.Action.Shown, r.Action.IfSeen} {
		if _, err := name(s); err != nil {
			return nil, err
		}
	}
	return &r, nil
}

// EncodeReply returns a reply with the bytes of a part. No JSON of this package holds a line feed, behind which these are.
func EncodeReply(r *Reply, part []byte) []byte {
	r.V = Version
	data := pack(r)
	if part == nil {
		return data
	}
	return append(append(data, '\n'), part...)
}

// ParseReply reads the reply to a request of a kind, and the bytes of the part that it carries.
func ParseReply(kind string, data []byte) (*Reply, []byte, error) {
	if len(data) > ReplyLimit {
		return nil, nil, fmt.Errorf("it has %d bytes, %d are the most", len(data), ReplyLimit)
	}
	head, part, _ := bytes.Cut(data, []byte("\n"))
	var r Reply
	if err := unpack(head, ReplyLimit, &r); err != nil {
		return nil, nil, err
	}
	switch {
	case r.V > Version:
		return nil, nil, ErrNewer
	case r.V < 1 || r.Reply != kind:
		return nil, nil, errors.New("it is no answer to what was asked")
	case r.Parts < 0 || r.Size < 0 || r.Size > WholeLimit || r.Parts > WholeLimit/1024:
		return nil, nil, errors.New("its parts make no whole")
	}
	return &r, part, nil
}

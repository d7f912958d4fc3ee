// Package wire is what hosts and dashboards say to each other about builds on several machines: the messages, their names on
// a NATS hub, and how both are read without trust. It opens no connection and no file.
//
// # Messages
//
// Each message is one JSON object in UTF-8, at the end of which, behind a line feed, bytes may follow (a reply with a part of
// a tree or of a file). It begins with the version of this form, which is 1. Fields are only added within a version, so what is not
// known is skipped; a message of a higher version is refused, and its host shown as one that speaks something newer. Times
// are RFC 3339 by the clock of the host that sends them.
//
// A host publishes the newest message of each kind under a key, and they replace each other there:
//
//	gh.<host>                    [Presence]: every five seconds that it is there, and what its clock says
//	gh.<host>.<project>          [Project]: the directory, what was decided, which builds there are
//	gh.<host>.<project>.<build>  [Build] without its tree: line, counts, what waits with its gates
//	                             [Gone], in the place of a project or build that is no more
//
// Each carries the host's boot number and a sequence. Boot numbers grow with each start of the host's process, sequences with
// each message of a process, so that of two messages under one key the later one is known whatever way they came. A presence
// has a digest of the keys and sequences that are current: who lost a message finds it out within five seconds, and asks the
// host for the list.
//
// A dashboard asks a host by a [Request], one message, and gets one [Reply]:
//
//	list     all that it has published, as a whole
//	tree     a [Build] with its tree
//	text     a file of a project, as it is
//	ask      what a live agent asks, whole
//	propose  what an action would do
//	decide   do it
//	outcome  what became of a request to do something; one that has not come yet is withdrawn
//	settle   whether what was done still stands a moment later
//
// What is long comes in parts: a reply says of which content (etag), in how many parts, and carries one; the others are asked for one
// by one. A list and a tree are packed with gzip.
//
// # Names
//
// A name of a host, user, project or build is one token of a subject: letters, digits, "-" and "_" stand for themselves, any
// other byte is "=" and two hexadecimal digits. A long name is cut, and "==" and a hash follow. See [Token].
//
//	$KV.gatehouse.<key>                  what is published, in the JetStream key-value bucket "gatehouse"
//	gatehouse.read.<host>.<boot>.<user>  requests that change nothing, to the process that has this boot number
//	gatehouse.do.<host>.<boot>.<user>    decide, outcome, settle
//	gatehouse.hello                      somebody begins to look: all hosts say that they are there
//	gatehouse.name.<host>                whoever has this name answers: nobody else takes it
//
// The last token of a request's subject says who asks, and the hub lets only that user publish there. A request is only
// heeded when its answer goes to that user's own inbox, [Inbox]: a server can be made to deliver a stored message to any subject, but not with
// such a place for the answer.
//
// # Trust
//
// Whoever has a key of the hub may send anything. So a message is bounded before it is parsed: its length, how deep and into
// how many values it is nested. Every text is cleaned by [line.Clean] and cut, every number that counts is brought into its range, and what would make a model inconsistent (two
// nodes with one ID) makes the message malformed: it is dropped as a whole, and the last good one stays.
package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"
)

// Version is that of the form of messages.
const Version = 1

// The bucket, and what subjects and keys begin with.
const (
	Bucket      = "gatehouse"
	KeySubjects = "$KV." + Bucket + "."
	Keys        = "gh." // and the host
	Hello       = "gatehouse.hello"
	reads       = "gatehouse.read."
	deeds       = "gatehouse.do."
	holders     = "gatehouse.name."
)

const (
	// PresenceEvery is how often a host says that it is there.
	PresenceEvery = 5 * time.Second
	// SilentAfter is how long a host may say nothing before it counts as offline: two presences were missed, and two seconds.
	SilentAfter = 2*PresenceEvery + 2*time.Second
	// WriteEvery is the shortest time between two messages under one key, but for presences.
	WriteEvery = 250 * time.Millisecond
	// LateAfter is how old a request to do something may be: a host refuses what was under way for longer.
	LateAfter = 30 * time.Second
)

const (
	tokenLimit = 80 // bytes of a token that is not cut
	tokenKeeps = 40 // bytes of one that is
)

// Token returns a name as one token of a subject or key. Different names have different tokens; an empty one is "=".
func Token(name string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		if b.Len() >= tokenLimit-2 {
			sum := sha256.Sum256([]byte(name))
			return cutToken(b.String()) + "==" + hex.EncodeToString(sum[:8])
		}
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
		default:
			b.WriteByte('=')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		}
	}
	if name == "" {
		return "="
	}
	return b.String()
}

// Untoken returns the name that a token stands for; for a long name that was cut, the token itself.
func Untoken(token string) string {
	if token == "=" {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(token); i++ {
		if token[i] != '=' {
			b.WriteByte(token[i])
			continue
		}
		if i+2 >= len(token) {
			return token
		}
		c, err := strconv.ParseUint(token[i+1:i+3], 16, 8)
		if err != nil {
			return token
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String()
}

// cutToken cuts a token, not within what stands for one byte.
func cutToken(token string) string {
	token = token[:tokenKeeps]
	if i := strings.LastIndexByte(token, '='); i >= len(token)-2 {
		token = token[:i]
	}
	return token
}

// ProjectToken returns the token of a project: its name, for people, and what tells its directory from others.
func ProjectToken(root, name string) string {
	sum := sha256.Sum256([]byte(root))
	return Token(name) + "-" + hex.EncodeToString(sum[:8])
}

// HostKey returns the key under which a host says that it is there.
func HostKey(host string) string { return Keys + Token(host) }

// ProjectKey returns the key of a project, and with a build's ID that of the build.
func ProjectKey(host, root, name string, build ...string) string {
	key := HostKey(host) + "." + ProjectToken(root, name)
	for _, id := range build {
		key += "." + Token(id)
	}
	return key
}

// KeyHost returns the token of the host that a key belongs to; ok is false for what is no key.
func KeyHost(key string) (token string, ok bool) {
	rest, ok := strings.CutPrefix(key, Keys)
	token, _, _ = strings.Cut(rest, ".")
	return token, ok && token != ""
}

// Subject returns where a user sends requests of a kind to the process of a host with a boot number. An empty name and
// a boot number of 0 stand for any.
func Subject(kind, host string, boot uint64, user string) string {
	number := "*"
	if boot > 0 {
		number = strconv.FormatUint(boot, 10)
	}
	start := reads
	if Changes(kind) {
		start = deeds
	}
	return start + token(host) + "." + number + "." + token(user)
}

// AskedTo returns what the subject of a request says: whether it came where requests come that change something, and the
// token of the user who asks.
func AskedTo(subject string) (changes bool, user string) {
	return strings.HasPrefix(subject, deeds), subject[strings.LastIndexByte(subject, '.')+1:]
}

// NameSubject returns where the holder of a host's name answers.
func NameSubject(host string) string { return holders + Token(host) }

func token(name string) string {
	if name == "" {
		return "*"
	}
	return Token(name)
}

// What the subjects of answers begin with.
const (
	UserInboxes = "_INBOX_user_"
	hostInboxes = "_INBOX_host_"
)

// Inbox returns what the subjects begin with at which a user gets answers, and HostInbox the same for a host.
func Inbox(user string) string { return InboxOf(Token(user)) }

// InboxOf is [Inbox] for the token of a user.
func InboxOf(token string) string { return UserInboxes + token }

// HostInbox is described with [Inbox].
func HostInbox(host string) string { return HostInboxOf(Token(host)) }

// HostInboxOf is [HostInbox] for the token of a host.
func HostInboxOf(token string) string { return hostInboxes + token }

// idLength is that of an ID in text.
const idLength = 36

// NewID returns the ID of a new request: a UUID of version 7, which holds the time to the millisecond.
func NewID(now time.Time) string {
	var b [16]byte
	rand.Read(b[6:])
	ms := uint64(now.UnixMilli())
	binary.BigEndian.PutUint16(b[:], uint16(ms>>32))
	binary.BigEndian.PutUint32(b[2:], uint32(ms))
	b[6] = b[6]&0x0F | 0x70
	b[8] = b[8]&0x3F | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// IDTime returns when an ID was made. It fails for what [NewID] can't have made.
func IDTime(id string) (time.Time, error) {
	plain := strings.ReplaceAll(id, "-", "")
	b, err := hex.DecodeString(plain)
	if err != nil || len(id) != idLength || len(b) != 16 || b[6]>>4 != 7 || strings.ToLower(id) != id ||
		id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-' {
		return time.Time{}, errors.New("the ID is no UUID of version 7")
	}
	ms := uint64(binary.BigEndian.Uint16(b))<<32 | uint64(binary.BigEndian.Uint32(b[2:]))
	return time.UnixMilli(int64(ms)), nil
}

// Digest tells which keys of a host are current, each with the sequence of its message: the sum, modulo 2^64, of the FNV-1a
// hashes of "<key> <sequence>". The zero value is that of no keys.
type Digest uint64

// Add takes a key in, and Drop takes it out.
func (d *Digest) Add(key string, seq uint64) { *d += hashed(key, seq) }

// Drop is described with [Digest.Add].
func (d *Digest) Drop(key string, seq uint64) { *d -= hashed(key, seq) }

func hashed(key string, seq uint64) Digest {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", key, seq)
	return Digest(h.Sum64())
}

// String returns 16 hexadecimal digits.
func (d Digest) String() string { return fmt.Sprintf("%016x", uint64(d)) }

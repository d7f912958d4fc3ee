package protocol

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/parse/doc"
)

// Breach is a rule that a file breaks.
type Breach struct {
	Number   int    // in the protocol's list of rules; 0 for another rule
	Rule     string // another rule
	IsWeaker bool   // the file is weaker than its definition: everybody has to know, not only a check
	Subject  string // the phase, gate or field
	At       int    // offset
	Text     string
	Fix      string
}

// CompareNames compares the members of an object with the names that a definition has. number is the rule for missing names, number+2
// the rule for other names; ignored ones break none. A name in another case is a misspelling, not a missing name.
func CompareNames(number int, noun string, defined []string, object doc.Value, isIgnored func(name string) bool) (all []Breach) {
	if !object.Is(doc.Map) {
		object = doc.Value{}
	}
	folded, known, spelling := map[string]bool{}, map[string]bool{}, map[string]string{}
	for member := range object.Children() {
		folded[strings.ToLower(member.Key())] = true
	}
	for _, name := range defined {
		lower := strings.ToLower(name)
		known[name], spelling[lower] = true, name
		if !folded[lower] {
			all = append(all, Breach{Number: number, Subject: name, At: object.Offset(), IsWeaker: true,
				Text: "the " + noun + " " + Quote(name) + " of the definition is missing", Fix: "add it to " + noun + "s"})
		}
	}
	for member := range object.Children() {
		name := member.Key()
		if known[name] || isIgnored(name) {
			continue
		}
		fix := "add the " + noun + " to the definition, or write it as the definition does"
		if right := spelling[strings.ToLower(name)]; right != "" {
			fix = "write it as the definition does: " + right
		}
		all = append(all, Breach{Number: number + 2, Subject: name, At: member.KeyOffset(), Text: "the definition has no " + noun + " " + Quote(name), Fix: fix})
	}
	return all
}

// CompareLists compares the names at a key of a member, in their order, with the names in the definition. isUnion: the names of both are
// required, so no advice takes one away.
func CompareLists(number int, key string, member doc.Value, want []string, isUnion bool) []Breach {
	list, subject := member.Get(key), member.Key()
	got, isWhole := Names(list, NameKeys...)
	if isWhole && slices.Equal(got, want) {
		return nil
	}
	b := Breach{Number: number, Subject: subject, At: list.OffsetOr(member.KeyOffset()), Text: "the " + key + " of " + Quote(subject) + " differ from the definition"}
	if !list.Exists() {
		b.Text = "the " + key + " of " + Quote(subject) + " are missing"
	}
	b.Fix = "write [" + strings.Join(want, ", ") + "], in this order"
	if isUnion {
		b.IsWeaker = slices.ContainsFunc(want, func(name string) bool { return !slices.Contains(got, name) })
		if more := slices.DeleteFunc(got, func(name string) bool { return slices.Contains(want, name) }); len(more) > 0 {
			b.Text += "; the " + key + " of both are required"
			b.Fix = "name all of them in both, in the same order: [" + strings.Join(append(want, more...), ", ") + "]"
		}
	}
	return []Breach{b}
}

// CompareTerms returns the breach of a field that differs from the definition: strictness is below 0 if the file is weaker. The stricter
// of both counts, and no advice proposes the weaker one.
func CompareTerms(rule, subject string, field doc.Value, strictness int, has, want string) []Breach {
	b := Breach{Rule: rule, Subject: subject, At: field.Offset(), IsWeaker: strictness < 0, Fix: "write " + want,
		Text: Quote(subject) + " is " + has + " in the state, but " + want + " in the definition; the stricter counts"}
	if strictness > 0 {
		b.Fix = "write the same into the definition"
	}
	return []Breach{b}
}

// CheckTime returns the breach of a field that is not a time, nil for a time, and for an absent one unless it is needed.
func CheckTime(number int, object doc.Value, key string, isNeeded bool) []Breach {
	value, subject := object.Get(key), Join(object.Key(), key)
	b := Breach{Number: number, Subject: subject, At: value.OffsetOr(object.Offset()), Text: subject + " is not an ISO 8601 time with date, time and zone", Fix: "write it like 2026-06-01T12:34:56Z"}
	switch {
	case value.Is(doc.String) && IsISO8601(value.Text()), !isNeeded && value.IsEmpty():
		return nil
	case !value.Exists():
		b.Text = subject + " is missing"
	}
	return []Breach{b}
}

// iso8601 is a time with date, time and zone, in the extended or the basic form.
var iso8601 = regexp.MustCompile(`^(?:(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?|` +
	`(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,]\d+)?)?)(?:[Zz]|[+-](\d\d)(?::?(\d\d))?)$`)

// IsISO8601 reports whether a text is a time that exists. Its second may be a leap second.
func IsISO8601(s string) bool {
	part := iso8601.FindStringSubmatch(s)
	if part == nil {
		return false
	}
	at := 1
	if part[at] == "" {
		at = 7
	}
	_, err := time.Parse("20060102T1504", strings.Join(part[at:at+3], "")+"T"+part[at+3]+part[at+4])
	return err == nil && part[at+5] <= "60" && part[13] <= "23" && part[14] <= "59"
}

// WordOr returns a status for people.
func WordOr(status string) string {
	if status == "" {
		return "without a status"
	}
	return status
}

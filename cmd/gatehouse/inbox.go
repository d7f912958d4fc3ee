package main

// gatehouse inbox: ideas, links and wishes for a fctry build.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse"
	"gatehouse/parse/fctry"
)

func newInbox(s *env) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "inbox",
		Short: "Add, list and dismiss ideas of a fctry build",
		Long: `Put ideas, links and wishes into the inbox of a fctry build (.fctry/inbox.json),
list them, and take them out. Its agents work them in when their turn comes.`,
	}, newInboxAdd(s), newInboxDismiss(s), newInboxList(s))
}

func newInboxAdd(s *env) *cobra.Command {
	var d decideFlags
	var kind string
	cmd := &cobra.Command{
		Use:   "add TEXT...",
		Short: "Put an idea or a link into the inbox",
		Long: `Put an idea or a link into the inbox. A text that begins with http:// or https://
is a reference unless --type says otherwise, any other is something to evolve.
"-" reads the text from standard input. A missing inbox.json of a fctry build is created.

` + decidingJSON,
		Example: "  gatehouse inbox add Make onboarding faster\n  gatehouse inbox add https://example.org/colors --type evolve",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("what is to be added? say it in words, or give a URL")}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if kind != "" && !slices.Contains(fctry.ItemTypes, kind) {
				return usageError{fmt.Errorf("--type %s: there is %s", kind, strings.Join(fctry.ItemTypes, ", "))}
			}
			a := model.Action{Verb: model.VerbAdd, Text: strings.Join(args, " "), Kind: kind}
			if err := s.readWords(&a.Text); err != nil {
				return err
			}
			p, build, err := d.findInbox(s)
			if err != nil {
				return err
			}
			a.Project, a.Build = p.Root(), build
			return d.perform(cmd.Context(), s, p, a, "inbox")
		},
	}
	d.addTo(s, cmd)
	cmd.Flags().StringVar(&kind, "type", "", "what it is: "+strings.Join(fctry.ItemTypes, ", "))
	completeWords(cmd, "type", fctry.ItemTypes...)
	return cmd
}

// findInbox returns the project and build to which an item is added.
func (d *decideFlags) findInbox(s *env) (p *parse.Project, build string, err error) {
	d.exact = true
	p, err = d.findIn(s, func(mp *model.Project) error {
		able := slices.DeleteFunc(slices.Clone(mp.Builds), func(b *model.Build) bool {
			return !slices.Contains(b.Can, model.VerbAdd) || d.build != "" && b.ID != d.build
		})
		switch len(able) {
		case 0:
			return errNoInbox
		case 1:
			build = able[0].ID
			return nil
		}
		return usageError{fmt.Errorf("there are several builds: %s; name one with --build", buildIDs(able))}
	})
	if errors.Is(err, errNoInbox) {
		err = usageError{err}
	}
	return p, build, err
}

var errNoInbox = errors.New("there is no inbox here; " + elsewhere)

func newInboxDismiss(s *env) *cobra.Command {
	var d decideFlags
	cmd := &cobra.Command{
		Use:   "dismiss ID",
		Short: "Take an item out of the inbox",
		Long: `Take an item out of the inbox, by the ID that "gatehouse inbox list" prints.
"gatehouse undo ID" puts it back while nothing else has changed the file.

` + decidingJSON,
		Args: oneArg("item", "which item? gatehouse inbox list prints their IDs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a := model.Action{Verb: model.VerbDismiss}
			gone := false // a killed run may have removed it
			none := usageError{fmt.Errorf("%q: the inbox has no such item; gatehouse inbox list prints those there are", args[0])}
			p, err := d.findIn(s, func(mp *model.Project) error {
				found, err := d.inboxItems(mp)
				if err != nil {
					return err
				}
				a.Project = mp.Root
				i := slices.IndexFunc(found, func(x itemJSON) bool { return x.ID == args[0] || x.Node == args[0] })
				if i >= 0 {
					a.Build, a.Node = found[i].Build, found[i].Node
					return nil
				}
				i = slices.IndexFunc(mp.Decisions, func(x model.Decision) bool { return x.Verb == model.VerbDismiss && d.isNamed(&x, args[0]) })
				if gone = i >= 0; !gone {
					return none
				}
				a.Build, a.Node = mp.Decisions[i].Build, mp.Decisions[i].Node
				return nil
			})
			if err != nil {
				return err
			}
			err = d.perform(cmd.Context(), s, p, a, args[0])
			if gone && errors.As(err, new(*model.Refusal)) {
				err = none
			}
			return err
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (ids []string, _ cobra.ShellCompDirective) {
			d.quick = true
			if _, mp, err := d.readProject(s); err == nil && len(args) == 0 {
				found, _ := d.inboxItems(mp)
				for _, x := range found {
					ids = append(ids, cobra.CompletionWithDesc(x.ID, x.Content))
				}
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	d.addTo(s, cmd)
	return cmd
}

// itemsJSON is the document of "gatehouse inbox list --json".
type itemsJSON struct {
	Schema int        `json:"schema"`
	Items  []itemJSON `json:"items"` // the newest first
}

// itemJSON is one entry of it.
type itemJSON struct {
	Project string       `json:"project"`         // its directory
	Build   string       `json:"build"`           // ID
	Node    string       `json:"node"`            // ID of its row
	ID      string       `json:"id"`              // as inbox dismiss takes it
	Type    string       `json:"type"`            // evolve, reference or feature; or the word of the file
	Status  string       `json:"status"`          // pending, processing, processed or error; or the word of the file
	Title   string       `json:"title,omitempty"` // if it has one in addition to its content
	Content string       `json:"content"`         // what is wished for
	At      time.Time    `json:"at,omitzero"`     // when it was put in
	Facts   []model.Fact `json:"facts,omitempty"` // what else the item says
}

// inboxItems returns the inbox items of the selected builds, the newest first.
func (pl *target) inboxItems(mp *model.Project) ([]itemJSON, error) {
	builds, err := pl.selectBuilds(mp.Builds)
	if err != nil {
		return nil, err
	}
	found := []itemJSON{}
	for _, b := range builds {
		group, _ := b.Find("group/inbox")
		if group == nil {
			continue
		}
		for _, n := range group.Children {
			x := itemJSON{Project: mp.Root, Build: b.ID, Node: n.ID, ID: strings.TrimPrefix(n.ID, "inbox/"), Status: n.Raw, Content: n.Title, At: n.Updated}
			for _, f := range n.Facts {
				switch f.Label {
				case "type":
					x.Type = f.Value
				case "content":
					x.Title, x.Content = n.Title, f.Value
				default:
					x.Facts = append(x.Facts, f)
				}
			}
			found = append(found, x)
		}
	}
	return found, nil
}

func newInboxList(s *env) *cobra.Command {
	var pl target
	var status, kind string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print what is in the inbox",
		Long: `Print what is in the inbox, the newest first: ID, type, status, age, content.

With --json: {"schema", "items": [{"project", "build", "node", "id", "type",
"status", "title", "content", "at", "facts"}]}.`,
		RunE: func(*cobra.Command, []string) error {
			var found []itemJSON
			var unread []model.Problem
			_, err := pl.findIn(s, func(mp *model.Project) (err error) {
				unread = nil
				for _, b := range mp.Builds {
					for _, p := range b.Problems {
						if p.Severity == model.Error && p.Rule == "" && strings.HasSuffix(p.File, "inbox.json") {
							unread = append(unread, p)
						}
					}
				}
				found, err = pl.inboxItems(mp)
				return err
			})
			if err != nil {
				return err
			}
			found = slices.DeleteFunc(found, func(x itemJSON) bool {
				return status != "" && x.Status != status || kind != "" && x.Type != kind
			})
			switch {
			case s.asJSON || len(found) > 0:
				if err := s.printItems(found); err != nil {
					return err
				}
			case len(unread) > 0: // its items are unknown
			case status == "" && kind == "":
				s.out.printf("the inbox is empty\n")
			default:
				s.out.printf("nothing of that kind is in the inbox\n")
			}
			for _, p := range unread {
				s.complain("%s: %s; fix the file", p.Pos, p.Text)
			}
			if len(unread) > 0 {
				return refusal{}
			}
			return nil
		},
	}
	pl.addTo(s, cmd)
	cmd.Flags().StringVar(&status, "status", "", "only items of this `status`, such as pending")
	cmd.Flags().StringVar(&kind, "type", "", "only items of this `type`: "+strings.Join(fctry.ItemTypes, ", "))
	s.jsonFlag(cmd, "print them as JSON")
	completeWords(cmd, "status", "pending", "processing", "processed", "error")
	completeWords(cmd, "type", fctry.ItemTypes...)
	return cmd
}

// printItems prints the items of an inbox.
func (s *env) printItems(found []itemJSON) error {
	if s.asJSON {
		return s.out.printJSON(itemsJSON{statusSchema, found})
	}
	ids := 0
	for _, x := range found {
		ids = min(max(ids, line.Width(asForeign(x.ID))), longestID)
	}
	for _, x := range found {
		age := ""
		if !x.At.IsZero() {
			age = model.Age(s.now().Sub(x.At))
		}
		s.out.printf("%s  %s  %s  %4s  %s\n", fitColumn(x.ID, ids), fitColumn(x.Type, 9), fitColumn(x.Status, 10), age, cmp.Or(x.Title, x.Content))
	}
	return nil
}

// longestID bounds the column of IDs: generated IDs are half as long.
const longestID = 60

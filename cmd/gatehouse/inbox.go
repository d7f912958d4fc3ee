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

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
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
"-" reads the text from standard input. A missing inbox.json of a fctry build is created.`,
		Example: "  gatehouse inbox add Make onboarding faster\n  gatehouse inbox add https://example.org/colors --type evolve",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if kind != "" && !slices.Contains(fctry.ItemTypes, kind) {
				return usageError{fmt.Errorf("--type %s: there is %s", kind, strings.Join(fctry.ItemTypes, ", "))}
			}
			a := model.Action{Verb: model.VerbAdd, Text: strings.Join(args, " "), Kind: kind}
			if err := s.readWords(&a.Text); err != nil {
				return err
			}
			p, err := d.find(s, func(in *selection) error {
				b, err := d.selectBuild(in, model.VerbAdd)
				if err == nil {
					a.Project, a.Build = in.rootOf(b), b.ID
				}
				return err
			})
			if err != nil {
				return err
			}
			return d.perform(cmd.Context(), s, p, a, "inbox")
		},
	}
	d.addTo(s, cmd)
	cmd.Flags().StringVar(&kind, "type", "", "what it is: "+strings.Join(fctry.ItemTypes, ", "))
	completeWords(cmd, "type", fctry.ItemTypes...)
	return cmd
}

func newInboxDismiss(s *env) *cobra.Command {
	var d decideFlags
	cmd := &cobra.Command{
		Use:   "dismiss ID",
		Short: "Take an item out of the inbox",
		Long: `Take an item out of the inbox, by the ID that "gatehouse inbox list" prints.
"gatehouse undo ID" puts it back while nothing else has changed the file.`,
		Args: oneArg("item", "which item? gatehouse inbox list prints their IDs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a := model.Action{Verb: model.VerbDismiss}
			gone := false // a killed run may have removed it
			none := usageError{fmt.Errorf("%q: the inbox has no such item; gatehouse inbox list prints those there are", args[0])}
			p, err := d.find(s, func(in *selection) error {
				found, err := d.inboxItems(in)
				if err != nil {
					return err
				}
				a.Project = in.projects[0].Root
				for _, x := range found {
					if x.ID == args[0] || x.Node == args[0] {
						a.Build, a.Node = x.Build, x.Node
						return nil
					}
				}
				for _, x := range in.projects[0].Decisions {
					if x.Verb == model.VerbDismiss && d.isNamed(&x, args[0]) {
						gone, a.Build, a.Node = true, x.Build, x.Node
						return nil
					}
				}
				return none
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

// inboxItems returns the inbox items of the selected builds, the newest first. It may return items and the error of an unreadable inbox.
func (pl *target) inboxItems(in *selection) ([]itemJSON, error) {
	builds, err := pl.selectBuilds(in)
	if err != nil {
		return nil, err
	}
	found, unread := []itemJSON{}, []error{}
	for _, b := range builds {
		for _, p := range b.Problems {
			if p.Severity == model.Error && p.Rule == "" && strings.HasSuffix(p.File, "inbox.json") {
				unread = append(unread, fmt.Errorf("%s: %s; fix the file", p.Pos, p.Text))
			}
		}
		group, _ := b.Find("group/inbox")
		if group == nil {
			continue
		}
		for _, n := range group.Children {
			found = append(found, itemOf(in.rootOf(b), b.ID, n))
		}
	}
	return found, errors.Join(unread...)
}

// itemOf returns the item of a node.
func itemOf(root, build string, n *model.Node) itemJSON {
	x := itemJSON{Project: root, Build: build, Node: n.ID, ID: strings.TrimPrefix(n.ID, "inbox/"), Status: n.Raw, Content: n.Title, At: n.Updated}
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
	return x
}

// longestID bounds the column of IDs: generated IDs are half as long.
const longestID = 60

func newInboxList(s *env) *cobra.Command {
	var pl target
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print what is in the inbox",
		Long:  "Print what is in the inbox, the newest first: ID, type, status, age, content.",
		RunE: func(*cobra.Command, []string) error {
			var found []itemJSON
			_, err := pl.find(s, func(in *selection) (err error) {
				found, err = pl.inboxItems(in)
				return err
			})
			switch {
			case errors.As(err, new(usageError)):
				return err
			case s.asJSON:
				return errors.Join(s.out.printJSON(itemsJSON{remote.Schema, found}), err)
			case len(found) == 0 && err == nil:
				s.out.printf("the inbox is empty\n")
			}
			ids := 0
			for _, x := range found {
				ids = min(max(ids, line.Width(line.Foreign(x.ID))), longestID)
			}
			for _, x := range found {
				age := ""
				if !x.At.IsZero() {
					age = model.Age(s.now().Sub(x.At))
				}
				s.out.printf("%s  %s  %s  %4s  %s\n", fitColumn(x.ID, ids), fitColumn(x.Type, 9), fitColumn(x.Status, 10), age, cmp.Or(x.Title, x.Content))
			}
			return err
		},
	}
	pl.addTo(s, cmd)
	s.jsonFlag(cmd, "print them as JSON")
	return cmd
}

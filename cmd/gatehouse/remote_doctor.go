package main

// gatehouse remote doctor: check whether other machines can be reached, a line for each step.

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/parse/text/shell"
)

func newRemoteDoctor(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "doctor [NAME]",
		Short: "Check each step on the way to other machines",
		Long: `Check each step on the way to other machines, a line each, with what to do:
the address, the key, the connection, what the hub lets this machine do, what it keeps,
and every host.

Exits 1 if something is broken. With --json: {"schema", "findings": [{"what", "how",
"said", "remedy"}]}; how is ok, advice or broken.`,
		Args:              atMostOneArg("remote"),
		ValidArgsFunction: s.completeRemotes,
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := remote.LoadConfig(s.configDir())
			if err != nil {
				return err
			}
			name, x, err := config.Named(strings.Join(args, ""))
			if err != nil {
				return usageError{err}
			}
			d := remoteDoctor{doctor: doctor{env: s}, config: config, name: name, remote: x}
			ctx, cancel := context.WithTimeout(cmd.Context(), time.Minute)
			defer cancel()
			d.checkRemote(ctx)
			return d.printFindings()
		},
	}, "print them as JSON")
}

// remoteDoctor checks one remote.
type remoteDoctor struct {
	doctor
	config *remote.Config
	name   string
	remote *remote.Remote
}

func (d *remoteDoctor) checkRemote(ctx context.Context) {
	x := d.remote
	reached := true
	if len(x.Hub) > 0 && x.Host != nil {
		reached = d.checkMember("host", x.Host, true)
	}
	if len(x.Hub) > 0 && x.User != nil {
		reached = d.checkMember("user", x.User, false) && reached
	}
	if reached && (len(x.Hub) == 0 || x.Host == nil || x.User != nil || len(x.SSH) > 0) {
		d.checkHosts(ctx)
	}
}

// checkMember connects to the hub as a host or a user, and reports whether that works.
func (d *remoteDoctor) checkMember(word string, id *remote.Identity, asHost bool) bool {
	what, key, members := word+" "+id.Name, "the hub asks for no key", "enter the keys of all members where the hub is: gatehouse remote keys"
	h, err := d.config.HubOf(d.name, d.remote, id)
	if err == nil && id.Key != "" {
		key, err = d.config.Public(id)
		key = "key " + key
	}
	if err != nil {
		d.addFinding(findingBroken, what, err.Error(), "")
		return false
	}
	d.addFinding(findingOK, what, key, "")
	p, err := remote.Probe(h, asHost)
	if err != nil {
		why, remedy, _ := strings.Cut(err.Error(), "; ")
		remedy = cmp.Or(remedy, "see that it runs there (nats-server -c hub.conf), and that this machine may reach it")
		d.addFinding(findingBroken, "hub", strings.Join(h.URLs, ", ")+": "+why, remedy)
		return false
	}
	d.addFinding(findingOK, "hub", fmt.Sprintf("%s: %v there and back", strings.Join(h.URLs, ", "), p.RTT.Round(100*time.Microsecond)), "")
	switch {
	case !p.Checks:
		d.addFinding(findingAdvice, "hub", "it does not check who says what: whoever reaches it can be anybody", members)
	case !asHost && !p.Decides:
		d.addFinding(findingAdvice, "hub", "the hub lets you look, and not decide", members)
	case !asHost:
		d.addFinding(findingOK, "hub", "it lets you ask hosts to decide; each has its own list (gatehouse join --allow)", "")
	}
	return true
}

// checkHosts checks the hosts, through the hub and ssh.
func (d *remoteDoctor) checkHosts(ctx context.Context) {
	var hosts []remote.HostReport
	var problems []string
	err := d.seeRemote(ctx, d.name, func(_ context.Context, f *remote.View, _ *model.Snapshot) error {
		hosts, problems = f.Hosts()
		return nil
	})
	if err != nil {
		d.addFinding(findingBroken, "hosts", err.Error(), "")
		return
	}
	for _, trouble := range problems {
		why, remedy, _ := strings.Cut(trouble, "; ")
		d.addFinding(findingBroken, "hosts", why, remedy)
	}
	join := "there: gatehouse join --remote=" + shell.Word(d.name) + " DIR..."
	if len(hosts) == 0 && len(problems) == 0 {
		d.addFinding(findingAdvice, "hosts", "none has joined yet", join)
	}
	for _, h := range hosts {
		switch text := strings.Join(describeHost(h), ", "); {
		case h.Trouble != "":
			d.addFinding(findingBroken, h.Name, text, "bring gatehouse there and here to one version: gatehouse --version")
		case !h.Live || h.Builds == 0:
			d.addFinding(findingAdvice, h.Name, text, join)
		default:
			d.addFinding(findingOK, h.Name, text, "")
		}
	}
}

package main

// gatehouse remote doctor: whether other machines can be reached, a line for each step.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
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

// remoteDoctor looks at one remote.
type remoteDoctor struct {
	doctor
	config *remote.Config
	name   string
	remote *remote.Remote
}

func (d *remoteDoctor) checkRemote(ctx context.Context) {
	x := d.remote
	if len(x.Hub) == 0 && len(x.SSH) == 0 {
		d.addFinding(findingBroken, "remote", "it leads to no machine", "gatehouse remote add HOST, or tls://HUB:4222, with --name "+shell.Word(d.name))
		return
	}
	if len(x.Hub) > 0 && x.User == nil && x.Host == nil {
		d.addFinding(findingBroken, "remote", "this machine has no name at its hub", "gatehouse remote add "+shell.Word(x.Hub[0])+" --name "+shell.Word(d.name)+" --user NAME, or --host NAME")
	}
	reached := true
	for _, as := range []struct {
		word string
		id   *remote.Identity
		host bool
	}{{"host", x.Host, true}, {"user", x.User, false}} {
		if len(x.Hub) > 0 && as.id != nil {
			reached = d.checkMember(ctx, as.word, as.id, as.host) && reached
		}
	}
	if reached && (x.User != nil || len(x.SSH) > 0) {
		d.checkHosts(ctx)
	}
}

// checkMember tries the hub as a host or a user, and reports whether it can be reached.
func (d *remoteDoctor) checkMember(ctx context.Context, word string, id *remote.Identity, asHost bool) bool {
	what := word + " " + id.Name
	h, err := d.config.HubOf(d.name, d.remote, id)
	if err != nil {
		d.addFinding(findingBroken, what, err.Error(), "")
		return false
	}
	key := "the hub asks for no key"
	if id.Key != "" {
		public, err := d.config.Public(id)
		if err != nil {
			d.addFinding(findingBroken, what, err.Error(), "")
			return false
		}
		key = "key " + public
	}
	d.addFinding(findingOK, what, key, "")
	p, err := remote.Probe(ctx, h, asHost)
	if err != nil {
		why, remedy, _ := strings.Cut(err.Error(), "; ")
		if errors.Is(err, remote.ErrUnknownKey) {
			remedy = "where the hub is: " + d.keysCommand(asHost, id) + ", with all other members, into members.conf; then send it SIGHUP"
		}
		reach := "see that it runs there (nats-server -c hub.conf), and that this machine may reach it: " + reachCommand(h.URLs[0])
		d.addFinding(findingBroken, "hub", strings.Join(h.URLs, ", ")+": "+why, cmp.Or(remedy, reach))
		return false
	}
	said := fmt.Sprintf("nats-server %s, %v there and back", p.Version, p.RTT.Round(100*time.Microsecond))
	if p.Cluster != "" {
		said += ", cluster " + p.Cluster
	}
	if p.Encrypted {
		said += ", encrypted"
	}
	d.addFinding(findingOK, "hub", said, "")
	if p.Payload < remote.LeastPayload {
		d.addFinding(findingBroken, "hub", fmt.Sprintf("it takes messages of %d bytes at most", p.Payload), "max_payload: 1MB in hub.conf, and restart it")
	}
	if !p.Checks {
		d.addFinding(findingAdvice, "who may", "the hub does not check who says what: whoever reaches it can be anybody", "on each machine: gatehouse remote keys; where the hub is, with what these print: gatehouse remote keys --host NAME=KEY --approver NAME=KEY >members.conf")
	}
	if asHost {
		return true
	}
	switch {
	case p.KeptErr != nil:
		d.addFinding(findingBroken, "kept", p.KeptErr.Error(), "jetstream { store_dir: \"/var/lib/nats\" } in hub.conf, and restart it")
	default:
		d.addFinding(findingOK, "kept", fmt.Sprintf("%s of hosts, on %s", countOf(p.Kept, "message"), countOf(p.Replicas, "server")), "")
	}
	if p.Decides {
		d.addFinding(findingOK, "decide", "the hub lets you ask hosts to decide; each has its own list (gatehouse join --allow)", "")
	} else {
		d.addFinding(findingAdvice, "decide", "the hub lets you look, and not decide", "where the hub is: "+d.keysCommand(false, id)+", with all other members, into members.conf; then send it SIGHUP")
	}
	return true
}

// keysCommand is the command that enters this machine at the hub.
func (d *remoteDoctor) keysCommand(asHost bool, id *remote.Identity) string {
	role, key := remote.RoleApprover, "KEY"
	if asHost {
		role = remote.RoleHost
	}
	if public, err := d.config.Public(id); err == nil {
		key = public
	}
	return fmt.Sprintf("gatehouse remote keys --%s %s", role, shell.Word(id.Name+"="+key))
}

// reachCommand is a command that tries whether a server of the hub can be reached at all.
func reachCommand(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return "nc -vz " + shell.Word(u.Hostname()) + " " + cmp.Or(u.Port(), "4222")
}

// checkHosts checks the hosts, over the hub and over ssh.
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
		d.addFinding(findingBroken, "hosts", why, cmp.Or(remedy, d.tryCommand(trouble)))
	}
	join := "gatehouse join --remote=" + shell.Word(d.name) + " DIR..."
	if len(hosts) == 0 && len(problems) == 0 {
		d.addFinding(findingAdvice, "hosts", "none has joined yet", "on each of them: "+join)
	}
	for _, h := range hosts {
		switch {
		case h.Trouble != "":
			d.addFinding(findingBroken, h.Name, h.Trouble, "bring gatehouse there and here to one version: gatehouse --version")
		case !h.Live:
			d.addFinding(findingAdvice, h.Name, h.Why, cmp.Or(d.tryCommand(h.Link), "there: "+join))
		case h.Builds == 0:
			d.addFinding(findingAdvice, h.Name, "there, no build in "+cmp.Or(model.Listed(h.Dirs), "what it has joined")+" or below", "there: "+join+", with directories that have builds")
		default:
			d.addFinding(findingOK, h.Name, strings.Join(describeHost(h), ", "), "")
		}
	}
}

// tryCommand is the command that tries by hand what a link by ssh does, of a text that begins with the link's name; "" for another remote.
func (d *remoteDoctor) tryCommand(text string) string {
	for _, m := range d.remote.SSH {
		if to, err := remote.ParseDestination(m.Target); err == nil && strings.HasPrefix(text+" ", "ssh "+m.Target+" ") {
			return "try it by hand: " + to.Login() + " " + shell.Word(m.Command()) + " --version"
		}
	}
	return ""
}

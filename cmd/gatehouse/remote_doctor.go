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

func newRemoteDoctor(s *surroundings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [NAME]",
		Short: "Check each step on the way to other machines",
		Long: `Check each step on the way to other machines, a line each, with what to do:
the address, the key, the connection, what the hub lets this machine do, what it keeps,
and every host.

Exits 1 where something is broken. With --json: {"schema", "findings": [{"what", "how",
"said", "remedy"}]}; how is ok, advice or broken.`,
		Args:              atMostOne("remote"),
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
			d := remoteDoctor{doctor: doctor{surroundings: s}, config: config, name: name, remote: x}
			ctx, cancel := context.WithTimeout(cmd.Context(), time.Minute)
			defer cancel()
			d.look(ctx)
			return d.print(asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

// remoteDoctor looks at one remote.
type remoteDoctor struct {
	doctor
	config *remote.Config
	name   string
	remote *remote.Remote
}

func (d *remoteDoctor) look(ctx context.Context) {
	x := d.remote
	if len(x.Hub) == 0 && len(x.SSH) == 0 {
		d.say(broken, "remote", "it leads to no machine", "gatehouse remote add HOST, or tls://HUB:4222, with --name "+shell.Word(d.name))
		return
	}
	if len(x.Hub) > 0 && x.User == nil && x.Host == nil {
		d.say(broken, "remote", "this machine has no name at its hub", "gatehouse remote add "+shell.Word(x.Hub[0])+" --name "+shell.Word(d.name)+" --user NAME, or --host NAME")
	}
	reached := true
	for _, as := range []struct {
		word string
		id   *remote.Identity
		host bool
	}{{"host", x.Host, true}, {"user", x.User, false}} {
		if len(x.Hub) > 0 && as.id != nil {
			reached = d.member(ctx, as.word, as.id, as.host) && reached
		}
	}
	if reached && (x.User != nil || len(x.SSH) > 0) {
		d.hosts(ctx)
	}
}

// member tries the hub as a host or a user, and reports whether it can be reached.
func (d *remoteDoctor) member(ctx context.Context, word string, id *remote.Identity, asHost bool) bool {
	what := word + " " + id.Name
	h, err := d.config.HubOf(d.name, d.remote, id)
	if err != nil {
		d.say(broken, what, err.Error(), "")
		return false
	}
	key := "the hub asks for no key"
	if id.Key != "" {
		public, err := d.config.Public(id)
		if err != nil {
			d.say(broken, what, err.Error(), "")
			return false
		}
		key = "key " + public
	}
	d.say(fine, what, key, "")
	p, err := remote.Probe(ctx, h, asHost)
	if err != nil {
		why, remedy, _ := strings.Cut(err.Error(), "; ")
		if errors.Is(err, remote.ErrUnknownKey) {
			remedy = "where the hub is: " + d.entering(asHost, id) + ", with all other members, into members.conf; then send it SIGHUP"
		}
		reach := "see that it runs there (nats-server -c hub.conf), and that this machine may reach it: " + reaches(h.URLs[0])
		d.say(broken, "hub", strings.Join(h.URLs, ", ")+": "+why, cmp.Or(remedy, reach))
		return false
	}
	said := fmt.Sprintf("nats-server %s, %v there and back", p.Version, p.RTT.Round(100*time.Microsecond))
	if p.Cluster != "" {
		said += ", cluster " + p.Cluster
	}
	if p.Encrypted {
		said += ", encrypted"
	}
	d.say(fine, "hub", said, "")
	if p.Payload < remote.LeastPayload {
		d.say(broken, "hub", fmt.Sprintf("it takes messages of %d bytes at most", p.Payload), "max_payload: 1MB in hub.conf, and restart it")
	}
	if !p.Checks {
		d.say(advice, "who may", "the hub does not check who says what: whoever reaches it can be anybody", "on each machine: gatehouse remote keys; where the hub is, with what these print: gatehouse remote keys --host NAME=KEY --approver NAME=KEY >members.conf")
	}
	if asHost {
		return true
	}
	switch {
	case p.KeptErr != nil:
		d.say(broken, "kept", p.KeptErr.Error(), "jetstream { store_dir: \"/var/lib/nats\" } in hub.conf, and restart it")
	default:
		d.say(fine, "kept", fmt.Sprintf("%s of hosts, on %s", counted(p.Kept, "message"), counted(p.Replicas, "server")), "")
	}
	if p.Decides {
		d.say(fine, "decide", "the hub lets you ask hosts to decide; each has its own list (gatehouse join --allow)", "")
	} else {
		d.say(advice, "decide", "the hub lets you look, and not decide", "where the hub is: "+d.entering(false, id)+", with all other members, into members.conf; then send it SIGHUP")
	}
	return true
}

// entering is the command that enters this machine at the hub.
func (d *remoteDoctor) entering(asHost bool, id *remote.Identity) string {
	role, key := remote.RoleApprover, "KEY"
	if asHost {
		role = remote.RoleHost
	}
	if public, err := d.config.Public(id); err == nil {
		key = public
	}
	return fmt.Sprintf("gatehouse remote keys --%s %s", role, shell.Word(id.Name+"="+key))
}

// reaches is a command that tries whether a server of the hub can be reached at all.
func reaches(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return "nc -vz " + shell.Word(u.Hostname()) + " " + cmp.Or(u.Port(), "4222")
}

// hosts looks at the hosts, over the hub and over ssh.
func (d *remoteDoctor) hosts(ctx context.Context) {
	f, err := d.openFleet(ctx, d.name)
	if err != nil {
		d.say(broken, "hosts", err.Error(), "")
		return
	}
	if _, err := fleetSnapshot(ctx, f); err != nil {
		d.say(broken, "hosts", err.Error(), "")
		return
	}
	hosts, problems := f.Hosts()
	for _, trouble := range problems {
		why, remedy, _ := strings.Cut(trouble, "; ")
		d.say(broken, "hosts", why, cmp.Or(remedy, d.tries(trouble)))
	}
	join := "gatehouse join --remote=" + shell.Word(d.name) + " DIR..."
	if len(hosts) == 0 && len(problems) == 0 {
		d.say(advice, "hosts", "none has joined yet", "on each of them: "+join)
	}
	for _, h := range hosts {
		switch {
		case h.Trouble != "":
			d.say(broken, h.Name, h.Trouble, "bring gatehouse there and here to one version: gatehouse --version")
		case !h.Live:
			d.say(advice, h.Name, h.Why, cmp.Or(d.tries(h.Link), "there: "+join))
		case h.Builds == 0:
			d.say(advice, h.Name, "there, no build in "+cmp.Or(model.Listed(h.Dirs), "what it has joined")+" or below", "there: "+join+", with directories that have builds")
		default:
			d.say(fine, h.Name, strings.Join(saidOf(h), ", "), "")
		}
	}
}

// tries is the command that tries by hand what a link by ssh does, of a text that begins with the link's name; "" for another remote.
func (d *remoteDoctor) tries(text string) string {
	for _, m := range d.remote.SSH {
		if to, err := remote.ParseDestination(m.Target); err == nil && strings.HasPrefix(text+" ", "ssh "+m.Target+" ") {
			return "try it by hand: " + to.Login() + " " + shell.Word(m.Command()) + " --version"
		}
	}
	return ""
}

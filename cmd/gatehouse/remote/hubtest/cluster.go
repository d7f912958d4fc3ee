package hubtest

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"gatehouse/cmd/gatehouse/remote"
)

// Cluster is a hub of three servers. There is a [Proxy] between every two of them, and one in front of each for members.
type Cluster struct {
	t       testing.TB
	Servers []*server.Server
	Doors   []*Proxy // in front of each server
	routes  [][]*Proxy
}

// StartCluster starts a cluster, and waits until it has a leader.
func StartCluster(t testing.TB, keys *Keys) *Cluster {
	t.Helper()
	const size = 3
	c := &Cluster{t: t}
	for i := range size {
		var row []*Proxy
		for j := range size {
			if i == j {
				row = append(row, nil)
				continue
			}
			row = append(row, NewProxy(t, ""))
		}
		c.routes = append(c.routes, row)
	}
	for i := range size {
		o := config(t, keys)
		o.ServerName = fmt.Sprintf("hub-%d", i+1)
		o.StoreDir = t.TempDir()
		// Servers advertise an address that leads nowhere; otherwise they would bypass the proxies.
		o.Cluster = server.ClusterOpts{Name: "hub", Host: "127.0.0.1", Port: server.RANDOM_PORT, Advertise: "127.0.0.1:1", NoAdvertise: true, PoolSize: 1}
		for j, p := range c.routes[i] {
			if j != i {
				u, err := url.Parse("nats-route://" + p.Address())
				must(t, err)
				o.Routes = append(o.Routes, u)
			}
		}
		// A hanging route is detected as soon as a hanging connection.
		o.Cluster.PingInterval = 2 * time.Second
		o.PingInterval, o.MaxPingsOut = 2*time.Second, 2
		s, err := server.NewServer(o)
		must(t, err)
		go s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		c.Servers = append(c.Servers, s)
	}
	for i, s := range c.Servers {
		if !s.ReadyForConnections(readyWithin) {
			t.Fatal("the hub does not start")
		}
		for _, row := range c.routes {
			if p := row[i]; p != nil {
				p.LeadTo(s.ClusterAddr().String())
			}
		}
		c.Doors = append(c.Doors, NewProxy(t, s.Addr().String()))
	}
	c.awaitLeader()
	return c
}

// awaitLeader waits until the servers have a leader.
func (c *Cluster) awaitLeader() {
	c.t.Helper()
	for end := time.Now().Add(readyWithin); ; time.Sleep(20 * time.Millisecond) {
		for _, s := range c.Servers {
			if s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == len(c.Servers) {
				return
			}
		}
		if time.Now().After(end) {
			c.t.Fatal("the servers find no leader")
		}
	}
}

// Leader returns the server that leads the bucket, -1 if there is none.
func (c *Cluster) Leader() int {
	for i, s := range c.Servers {
		if s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, "KV_gatehouse") {
			return i
		}
	}
	return -1
}

// Part cuts a server off from the others. Its clients stay connected.
func (c *Cluster) Part(i int) { c.each(i, (*Proxy).Cut) }

// Freeze makes the network between a server and the others swallow all messages.
func (c *Cluster) Freeze(i int) { c.each(i, (*Proxy).Swallow) }

// Heal ends Part and Freeze.
func (c *Cluster) Heal(i int) { c.each(i, (*Proxy).Heal) }

func (c *Cluster) each(i int, f func(*Proxy)) {
	for a, row := range c.routes {
		for b, p := range row {
			if p != nil && (a == i || b == i) {
				f(p)
			}
		}
	}
}

// Hub returns how a member connects: to the given servers in this order, or to all if none is given.
func (c *Cluster) Hub(keys *Keys, name string, servers ...int) remote.Hub {
	if len(servers) == 0 {
		servers = []int{0, 1, 2}
	}
	h := remote.Hub{Remote: "test", Name: name, Replicas: len(c.Servers)}
	for _, i := range servers {
		h.URLs = append(h.URLs, "nats://"+c.Doors[i].Address())
	}
	if keys != nil {
		h.Key = keys.File(name)
	}
	return h
}

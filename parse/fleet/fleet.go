// Package fleet is builds on many machines in one queue: its folders are the parts, and its tests try them together.
//
//	wire/     what hosts and dashboards say to each other, and how it is read without trust
//	link/     the ways between them: a NATS hub, or pipes through ssh
//	join/     the host's side: publishes, answers, does what is decided elsewhere
//	view/     the dashboard's side: a feed, files and an actor for what is on other machines
//	hub/      this machine's fleets, keys and permissions
//	hubtest/  hubs for tests; the only importer of the server
//
// The files of a host, their locks and its journal are the truth. What a hub holds is a copy that may be thrown away.
package fleet

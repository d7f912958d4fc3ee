package remote

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority is a certificate authority for tests.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, file: filepath.Join(t.TempDir(), "ca.pem")}
	der := a.sign(&x509.Certificate{Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, time.Hour)
	var err error
	if a.cert, err = x509.ParseCertificate(der.Certificate[0]); err != nil {
		t.Fatal(err)
	}
	a.key = der.PrivateKey.(*ecdsa.PrivateKey)
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der.Certificate[0]}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign returns a certificate that is valid for the time good; the first one is self-signed.
func (a *authority) sign(c *x509.Certificate, good time.Duration) tls.Certificate {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(1), time.Now().Add(-2*time.Hour), time.Now().Add(good)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
	if err != nil {
		a.t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestCertificatesThatDoNotFit checks that errors name the fault of a hub's certificate, and the fix.
func TestCertificatesThatDoNotFit(t *testing.T) {
	ours, other := newAuthority(t), newAuthority(t)
	fits := func() *x509.Certificate { return &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}} }
	for want, c := range map[string]struct {
		cert tls.Certificate
		ca   string
	}{
		"certificate signed by unknown authority":                {ours.sign(fits(), time.Hour), other.file},
		"certificate has expired or is not yet valid":            {ours.sign(fits(), -time.Hour), ours.file},
		"certificate is valid for 10.9.9.9, not 127.0.0.1":       {ours.sign(&x509.Certificate{IPAddresses: []net.IP{net.IPv4(10, 9, 9, 9)}}, time.Hour), ours.file},
		"no such file or directory; name the file of its signer": {ours.sign(fits(), time.Hour), ours.file + ".not"},
		"failed to parse root certificate":                       {ours.sign(fits(), time.Hour), "tls_test.go"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				conn.Write([]byte(`INFO {"server_id":"x","version":"2.15.2","proto":1,"max_payload":1048576,"tls_required":true,"tls_available":true}` + "\r\n"))
				tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{c.cert}}).Handshake()
				conn.Close()
			}
		}()
		_, err = Probe(Hub{URLs: []string{"tls://" + l.Addr().String()}, Name: "alice", CA: c.ca}, false)
		l.Close()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err := Probe(Hub{URLs: []string{"nats://127.0.0.1:1"}, Name: "alice"}, false)
	if err == nil || !strings.Contains(err.Error(), "no hub answers there") {
		t.Error(err)
	}
}

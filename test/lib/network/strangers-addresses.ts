/** Addresses that strangers give, by where they lead: written in the ways that have opened guards before. */

/** Each leads to what it is listed under, and is refused. */
// biome-ignore format: a table reads by its columns
export const closedAddresses: Readonly<Record<string, readonly string[]>> = {
  'this machine': list`
    127.0.0.1 127.0.0.2 127.1.1.1 127.255.255.254 127.255.255.255 0.0.0.0 0.0.0.1 0.1.2.3 0.255.255.255 127.0.0.53 127.0.1.1
    127.1 127.0.1 127.1.1 0 0x0 00 0x7f.1 0x7f.0.0.1 0x7f000001 0x7F.0x0.0x0.0x1 0177.0.0.1 0177.1 0177.0.0.01 017700000001 2130706433 2130706434 127.0.0.1. 127.1.
    ０x7f.0.0.1 １２７.0.0.1 127。0。0。1 127.0.0.①
    [::1] [::] [0:0:0:0:0:0:0:1] [0:0:0:0:0:0:0:0] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1]
    localhost LOCALHOST localhost. a.localhost a.b.localhost. LocalHost loc%61lhost ｌｏｃａｌｈｏｓｔ`,
  'a private network': list`
    10.0.0.0 10.0.0.1 10.1.2.3 10.255.255.255 10.1 0xa.0.0.1 0xa000001 012.0.0.1 167772161 012.0x0.0.1
    10.0x0.1 10.16777215 0xA.0xff.0xff.0xfe 172.16.0.0 172.16.0.1 172.17.0.1 172.20.10.2 172.31.255.255 0xac.16.0.1 2886729729 0254.020.0.1
    192.168.0.0 192.168.0.1 192.168.1.1 192.168.178.1 192.168.255.255 192.168.1 0xc0a80001 3232235521 0300.0250.0.1
    100.64.0.0 100.64.0.1 100.100.0.1 100.127.255.255 1681915905
    [fc00::] [fc00::1] [fc12:3456::1] [fd00::1] [fdab::10.0.0.1] [fd00:0:0:1::53] [fd12:3456:789a::1] [fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff] [fec0::1] [feff::1] [FD00::2]`,
  'a local link': list`
    169.254.0.0 169.254.0.1 169.254.1.1 169.254.169.253 169.254.169.123 169.254.255.255 0xa9fe0001
    169.254.0x10.1 0251.0376.1.1 169.254.1 [fe80::] [fe80::1] [fe80::ffff:127.0.0.1] [fe90::1] [fea0::1] [fe80::a00:27ff:fe4e:66a1] [febf::1] [FE80::1]`,
  'a metadata service': list`
    169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518 169.16689662 169.254.170.2 168.63.129.16 100.100.100.200 192.0.0.192
    [fd00:ec2::254] [fd20:ce::254] 169.254.169.254.`,
  'a translated address': list`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [::ffff:8.8.8.8] [0:0:0:0:0:ffff:7f00:0001] [::FFFF:192.168.0.1] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]
    [::127.0.0.1] [::7f00:1] [::8.8.8.8] [::a00:1] [::2]
    [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::8.8.8.8] [64:ff9b:1::1] [64:ff9b:1:abcd::7f00:1] [64:ff9b:1:ffff::a00:1]
    [2002:7f00:1::] [2002:7f00:1::1] [2002:a00:1::1] [2002:c0a8:1::] [2002:a9fe:a9fe::] [2002:808:808::1]
    [2001::1] [2001:0:53aa:64c:0:fbff:80ff:fffe] [2001:0:7f00:1::] 192.88.99.1 192.88.99.255`,
  'a reserved network': list`
    192.0.0.1 192.0.0.8 192.0.0.170 192.0.0.255 192.0.2.0 192.0.2.1 192.0.2.255 198.18.0.1 198.19.255.255 198.51.100.1 198.51.100.255 203.0.113.1 203.0.113.254
    224.0.0.1 224.0.0.251 239.255.255.250 239.255.255.255 240.0.0.1 247.1.1.1 255.255.255.254 255.255.255.255 0xffffffff 4294967295 037777777777
    [2001:2::1] [2001:10::1] [2001:20::1] [2001:db8::1] [2001:db8:ffff::1] [3fff::1] [3fff:fff::1] [100::1] [100::ffff:1] [5f00::1] [ff00::1] [ff02::1] [ff02::fb] [ff05::2] [ff0e::1]
    [1::1] [2::2] [ff::1] [200::1] [400::1] [4000::1] [6000::1] [8000::1] [a000::1] [e000::1] [f000::1] [fe00::1] [1fff:ffff::1] [64:ff9c::1] [64:ff9b:2::1]`,
}

/** Anybody may reach them: just outside of what is closed, and what many people use. */
// biome-ignore format: a table reads by its columns
export const publicAddresses = list`
  1.0.0.0 1.1.1.1 8.8.8.8 9.9.9.9 9.255.255.255 11.0.0.0 13.107.42.14 23.1.2.3 64.233.160.1 93.184.216.34
  100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 128.0.0.1 142.250.74.36 151.101.1.69 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0
  172.15.255.255 172.32.0.0 185.199.108.153 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
  198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 217.160.0.1 223.255.255.255 0x08080808 134744072 010.8.8.8.
  2000::1 2001:200::1 2001:4860:4860::8888 2001:db7::1 2001:db9::1 2003:: 2003:e3::1 2400:cb00::1 2606:4700:4700::1111 2620:fe::fe 2a00:1450:4001:82b::2004 2a02:: 2c0f::1 3ffe:: 3fff:1000::1
`.filter((one) => !/^(0x|010|134)/.test(one))

/** Not asked at all. */
// biome-ignore format: a table reads by its columns
export const badAddresses = [
  '', 'example', 'example.com', '//example.com', 'ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/', 'data:text/plain,x', 'javascript:1', 'ws://example.com', 'unix:/run/x.sock', 'http+unix://x',
  'http://', 'http:///', 'https://[', 'http://[::1', 'http://[fe80::1%25eth0]/', 'http://[::ffff:127.0.0.256]/', 'http://256.0.0.1/', 'http://1.2.3.4.5/', 'http://0x100000000/', 'http://127.0.0.0x100/', 'http://exa mple.com/', 'http://exa<mple.com/', 'http://a%00b.example/',
  'http://dana@example.com/', 'http://dana:secret@example.com/', 'http://:secret@example.com/', 'http://127.0.0.1:80@example.com/', 'https://example.com%40127.0.0.1/',
  'http://example.com:22/', 'http://example.com:25/', 'http://example.com:0/', 'http://example.com:79/', 'https://example.com:465/', 'http://example.com:1023/', 'http://example.com:65536/', 'http://example.com:-1/',
]

function list(strings: TemplateStringsArray): readonly string[] {
  return strings.join('').trim().split(/\s+/)
}

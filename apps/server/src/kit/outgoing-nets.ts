import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not public: this machine, private, shared, link-local, documentation, reserved, multicast. */
const insideV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Of IPv6 only 2000::/3 is allocated for public use; `specialV6` are its parts for tunnels, tests and documentation. */
const worldV6 = '2000::/3'
const specialV6 = ['2001::/23', '2001:db8::/32', '3fff::/20']
/**
 * Metadata services of cloud providers, which give out credentials, and addresses that are not a single machine. Even the operator's list
 * does not open these.
 */
const neverNets = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/3',
  '::/128',
  'fd00:ec2::254/128',
  'fe80::/10',
  'ff00::/8',
]
/** Networks used inside companies. This machine itself is not part of them. */
export const privateNets = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
export const loopbackNets = ['127.0.0.0/8', '::1/128']

type Address = { text: string; family: 'ipv4' | 'ipv6' }

/**
 * Builds a lookup of networks in CIDR form.
 * @throws Error when a text is not a network
 */
export function netsOf(list: readonly string[]): { has(address: Address): boolean } {
  const v4 = new BlockList()
  const v6 = new BlockList()
  for (const one of list) {
    const [net, bits] = cidrOf(one) ?? []
    if (!net || bits === undefined) throw new Error(`not a network: ${one}`)
    ;(net.family === 'ipv4' ? v4 : v6).addSubnet(net.text, bits, net.family)
  }
  // Use two lists: a single BlockList would match an IPv6 address by its embedded IPv4 address, which only `bareAddress` may decide.
  return { has: ({ text, family }) => (family === 'ipv4' ? v4 : v6).check(text, family) }
}

/** Parses `10.20.0.0/16`, `fd00::/8`, or a single address; undefined when the text is none of these. */
export function cidrOf(text: string): [Address, number] | undefined {
  const [net = '', bits, ...rest] = text.trim().split('/')
  const version = isIP(net)
  if (version === 0 || rest.length || net.includes('%')) return undefined
  const most = version === 4 ? 32 : 128
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  return length <= most ? [{ text: net, family: version === 4 ? 'ipv4' : 'ipv6' }, length] : undefined
}

const inside4 = netsOf(insideV4)
const world6 = netsOf([worldV6])
const special6 = netsOf(specialV6)
const never = netsOf(neverNets)
const loopback = netsOf(loopbackNets)

/**
 * The address that a connection reaches. An IPv4 address embedded in IPv6 (mapped, compatible, translated, NAT64, 6to4; RFC 4291, 2765,
 * 6052, 3056) becomes that IPv4 address. Undefined when the text is not an address.
 */
export function bareAddress(address: string): Address | undefined {
  const plain = address.split('%')[0] ?? ''
  if (isIP(plain) === 4) return { text: plain, family: 'ipv4' }
  if (isIP(plain) !== 6) return undefined
  const groups = groupsOf(plain)
  const v4 = (at: number): Address => {
    const [high = 0, low = 0] = groups.slice(at, at + 2)
    return { text: `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`, family: 'ipv4' }
  }
  const head = groups.slice(0, 6).join(':')
  const carriers = ['0:0:0:0:0:0', '0:0:0:0:0:65535', '0:0:0:0:65535:0', '100:65435:0:0:0:0']
  const isOwnForm = head === carriers[0] && groups[6] === 0 && (groups[7] ?? 0) <= 1
  if (carriers.includes(head) && !isOwnForm) return v4(6)
  if (groups[0] === 0x2002) return v4(1)
  return { text: plain, family: 'ipv6' }
}

/** The eight 16-bit groups of an IPv6 address. */
export function groupsOf(address: string): number[] {
  // The URL parser also converts an IPv4 tail to hexadecimal.
  const [left = '', right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const read = (part: string) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : [])
  if (right === undefined) return read(left)
  const [a, b] = [read(left), read(right)]
  return [...a, ...Array<number>(8 - a.length - b.length).fill(0), ...b]
}

export const isLoopback = (address: Address): boolean => loopback.has(address)
export const isNever = (address: Address): boolean => never.has(address)

/** Whether an address is not a public Internet address. */
export const isInside = (address: Address): boolean =>
  address.family === 'ipv4' ? inside4.has(address) : !world6.has(address) || special6.has(address)

const hex = (value: number | undefined, digits = 2) => (value ?? 0).toString(16).toUpperCase().padStart(digits, '0')

/**
 * Explains why a frame could not be decoded.
 * @param whole the unescaped frame; undefined if the escapes are invalid.
 */
export function explainBad(
  kind: 'escape' | 'check' | 'length' | 'structure' | 'timeout',
  escaped: Buffer,
  whole: Buffer | undefined,
): string {
  switch (kind) {
    case 'escape': {
      const at = escaped.findIndex((byte, i) => byte === 0x7d && escaped[i + 1] !== 0x01 && escaped[i + 1] !== 0x02)
      return `7D 之后只能是 01 或 02，收到 ${at + 1 < escaped.length ? hex(escaped[at + 1]) : '帧尾'}：请检查终端的转义`
    }
    case 'check': {
      const content = whole?.subarray(0, -1) ?? Buffer.alloc(0)
      const right = content.reduce((sum, byte) => sum ^ byte, 0)
      return `校验码 ${hex(whole?.at(-1))}，按消息头和消息体异或应为 ${hex(right)}：应先算校验再转义，或链路有误码`
    }
    case 'length':
      return explainLength(escaped, whole)
    case 'structure': {
      const phone = phoneOf(whole)
      return /^\d+$/.test(phone) ? '分包序号应从 1 开始且不大于总包数' : `终端手机号 ${phone} 不是 BCD 数字`
    }
    case 'timeout':
      return '10 秒内没有收到帧尾 7E，请检查终端的分包发送与网络'
  }
}

function explainLength(escaped: Buffer, whole: Buffer | undefined): string {
  if (!whole || whole.length < 13)
    return whole ? `只有 ${whole.length} 字节，不足一个消息头` : `${escaped.length} 字节没有帧尾 7E，不是 JT/T 808 报文`
  const attributes = whole.readUInt16BE(2)
  const is2019 = (attributes & 0x4000) !== 0
  const header = (is2019 ? 17 : 12) + (attributes & 0x2000 ? 4 : 0)
  const body = whole.length - 1 - header
  const layout = is2019 ? '2019 版消息头（属性第 14 位为 1）' : '2013 版消息头（属性第 14 位为 0）'
  return `消息体声明 ${attributes & 0x3ff} 字节，按${layout}实为 ${body} 字节：请核对消息体长度与协议版本`
}

/** Digits of the phone field in the header, at the position given by the attributes. */
export function phoneOf(whole: Buffer | undefined): string {
  if (!whole || whole.length < 13) return ''
  const is2019 = (whole.readUInt16BE(2) & 0x4000) !== 0
  return whole.toString('hex', is2019 ? 5 : 4, is2019 ? 15 : 10)
}

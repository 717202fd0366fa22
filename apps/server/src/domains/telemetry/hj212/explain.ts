import { type CrcMode, crcModes } from '@zhugong/contract/protocols/hj212'
import { checksumOf, fittingModes } from './crc.ts'

/** Explains why a frame could not be decoded: what was expected, what was received, what to change. */
export function explainBad(kind: string, buffer: Buffer, known: { crcMode: CrcMode; maxLength: number }): string {
  switch (kind) {
    case 'length':
      return explainLength(buffer, known.maxLength)
    case 'crc':
      return explainCrc(buffer, known.crcMode)
    case 'tail':
      return wrongLength(buffer) ?? '数据段和校验之后应为回车换行（0D 0A），请检查监测站的帧尾设置'
    case 'timeout':
      return (
        wrongLength(buffer) ??
        `声明数据段 ${buffer.toString('latin1', 2, 6)} 字节，10 秒内只收到 ${Math.max(0, buffer.length - 6)} 字节，请检查 DTU 的分包间隔与网络`
      )
    default:
      return explainStructure(buffer)
  }
}

/** Actual length of the segment: up to the first `&&` that is followed by four checksum digits and a line end. */
function realLength(buffer: Buffer): number | undefined {
  const end = /&&[0-9A-Fa-f]{4}\r?\n/.exec(buffer.toString('latin1', 6))
  return end ? end.index + 2 : undefined
}

function wrongLength(buffer: Buffer): string | undefined {
  const real = realLength(buffer)
  const declared = Number(buffer.toString('latin1', 2, 6))
  if (real === undefined || real === declared) return undefined
  const characters = [...buffer.toString('utf8', 6, 6 + real)].length
  const why = characters === declared ? '，汉字应按字节计而不是按字计' : ''
  return `声明长度 ${buffer.toString('latin1', 2, 6)}，数据段实为 ${real} 字节${why}，请核对监测站的长度计算（不含 ##、长度、校验与回车换行）`
}

function explainLength(buffer: Buffer, maxLength: number): string {
  const text = buffer.toString('latin1', 2, 6)
  if (!/^\d{4}$/.test(text)) return '## 之后应为 4 位十进制长度，不足补零'
  return Number(text) > maxLength
    ? `数据段 ${Number(text)} 字节，超过允许的 ${maxLength} 字节；确需更长时在监测站的“最大长度”中放宽，最多 4096`
    : '数据段长度过短，不是一帧完整的数据'
}

function explainCrc(buffer: Buffer, mode: CrcMode): string {
  const length = Number(buffer.toString('latin1', 2, 6))
  const segment = buffer.subarray(6, 6 + length)
  const given = buffer.toString('latin1', 6 + length, 10 + length).toUpperCase()
  const head = `帧中校验 ${given}，按${crcModes[mode]}应为 ${checksumOf(mode, segment)}`
  // Another checksum is only suggested, not accepted: the administrator sets which one a station uses.
  const others = fittingModes(segment, given)
  if (others.length) return `${head}；与${others.map((other) => crcModes[other]).join('、')}相符，请把监测站的校验方式改为它`
  return `${head}；数据在途中被改动，请检查串口速率、校验位与 DTU 的透传设置`
}

/** Required fields of a segment and the form of each. */
const required: readonly (readonly [name: string, form: RegExp, text: string])[] = [
  ['ST', /^\d{2}$/, 'ST 应为 2 位数字'],
  ['CN', /^\d{4}$/, 'CN 应为 4 位数字'],
  ['MN', /^\w{5,40}$/, 'MN 应为 5～40 位字母、数字或下划线'],
]

function explainStructure(buffer: Buffer): string {
  const length = Number(buffer.toString('latin1', 2, 6))
  const segment = buffer.toString('latin1', 6, 6 + length)
  const at = segment.indexOf('CP=&&')
  if (at < 0) return '数据段中没有 CP=&&…&&'
  if (!segment.endsWith('&&') || segment.length < at + 7) return '数据区应以 && 结束'
  const fields = segment
    .slice(0, at)
    .split(';')
    .filter(Boolean)
    .map((part) => part.split('=').map((one) => one.trim()))
  const names = fields.map(([name = '']) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice) return `字段 ${twice} 重复`
  const field = (name: string) => fields.find(([key]) => key === name)?.[1]
  for (const [name, form, text] of required) if (!form.test(field(name) ?? '')) return text
  if (!/^(\d{14}|\d{17})?$/.test(field('QN') ?? '')) return 'QN 应为 17 位时间（yyyyMMddHHmmssSSS）'
  if (!/^(\d{1,3})?$/.test(field('Flag') ?? '')) return 'Flag 应为 0～255 的数字'
  return '字段之间用分号分隔，名称与值之间用等号'
}

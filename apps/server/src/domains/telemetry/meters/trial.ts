import { answer, type DialectVerdict, type FrameTrial, failed, notHexadecimal, type Pasted, type Trial, verdict } from '../trial.ts'
import { Cjt188Decoder, answerOf as waterAnswerOf } from './cjt188.ts'
import { Dlt645Decoder, answerOf as meterAnswerOf } from './dlt645.ts'
import { RtuDecoder, TcpDecoder } from './modbus.ts'

/** Answers of polled meters. */
export const meterTrial: FrameTrial = {
  protocol: 'poll',
  whenSelected: true,
  decode: (content, { access }) => trialOfMeter(content, access.protocol),
}

/** Formats of meters, in the order in which they are tried. */
const formats = {
  dlt645: 'DL/T 645-2007 电表',
  cjt188: 'CJ/T 188 水表',
  modbusTcp: 'Modbus TCP',
  modbusRtu: 'Modbus RTU',
} as const

/** Tries the meter protocols one after the other and returns the first that can decode the frame. */
function trialOfMeter(content: Buffer, protocol: string): Trial {
  const [electric] = new Dlt645Decoder().push(content)
  if (electric) {
    const meter = meterAnswerOf(electric)
    return answer('dlt645', {
      ok: true,
      fields: { ...electric, data: electric.data.toString('hex') },
      values: meter && Object.keys(meter.values).length ? meter.values : null,
    })
  }
  const [water] = new Cjt188Decoder().push(content)
  if (water) {
    const meter = waterAnswerOf(water)
    const fields = { ...water, data: water.data.toString('hex'), ...meter }
    return answer('cjt188', { ok: true, fields, values: meter ? { totalVolume: meter.totalVolume, valve: meter.valve } : null })
  }
  for (const [name, decoder] of [['modbusTcp', new TcpDecoder()] as const, ['modbusRtu', new RtuDecoder()] as const]) {
    const [registers] = decoder.push(content)
    if (registers) return answer(name, { ok: true, fields: { ...registers, data: registers.data.toString('hex') } })
  }
  return failed(protocol, 'check')
}

export function meterDialects({ binary }: Pasted): DialectVerdict[] {
  const read = binary && trialOfMeter(binary, meterTrial.protocol)
  const why = (key: string) => (!read ? notHexadecimal : read.ok && read.protocol === key ? null : '起始符、长度、地址或校验不符')
  return Object.entries(formats).map(([key, name]) => verdict(key, name, why(key)))
}

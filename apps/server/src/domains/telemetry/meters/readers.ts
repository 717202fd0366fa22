import type { FleetDevice } from '../../equipment/public.ts'
import * as cjt from './cjt188.ts'
import * as dlt from './dlt645.ts'
import {
  exceptionTexts,
  type ModbusAnswer,
  planReads,
  type Register,
  RtuDecoder,
  rtuRead,
  TcpDecoder,
  tcpRead,
  valuesOf,
} from './modbus.ts'

/** Most frames requested for one value. */
const mostParts = 4

export type PollProtocol = 'modbusTcp' | 'modbusRtu' | 'dlt645' | 'cjt188'

export interface PolledDevice {
  deviceId: string
  address: string
  registers: Register[]
}
export type Values = Record<string, unknown>

/** Log entry of a response: its content, or why the device refused. */
export interface Said {
  result?: string
  hint?: string
  decoded?: Record<string, unknown>
}

export interface Question<T> {
  /** Name in the log. */
  kind: string
  bytes: Buffer
  /** Drops bytes of a late response to the previous request. */
  reset(): void
  /** Adds received bytes and returns the response once it is complete. */
  take(chunk: Buffer): T | undefined
  read(answer: T): Said
}
/** Undefined if there is no response within the timeout. */
export type Ask = <T>(device: FleetDevice, question: Question<T>) => Promise<T | undefined>

/** Reads the values of a device with its protocol. */
interface Reader {
  read(device: FleetDevice, polled: PolledDevice): Promise<Values>
}

/** Counter of request ids, which match a response to its request. */
function numbers(): () => number {
  let last = 0
  return () => {
    last = (last + 1) & 0xffff
    return last
  }
}

class RegisterReader implements Reader {
  private readonly ask: Ask
  private readonly isTcp: boolean
  private readonly decoder: TcpDecoder | RtuDecoder
  private readonly next = numbers()

  constructor(ask: Ask, isTcp: boolean) {
    this.ask = ask
    this.isTcp = isTcp
    this.decoder = isTcp ? new TcpDecoder() : new RtuDecoder()
  }

  async read(device: FleetDevice, polled: PolledDevice): Promise<Values> {
    const unit = Number(polled.address)
    const values: Values = {}
    for (const read of planReads(polled.registers)) {
      const transaction = this.next()
      const { isTcp } = this
      const bytes = isTcp ? tcpRead(transaction, unit, read) : rtuRead(unit, read)
      const isMine = (a: ModbusAnswer) =>
        a.unit === unit && (isTcp ? a.transaction === transaction : a.exception !== undefined || a.data.length === read.count * 2)
      const answer = await this.ask(device, {
        kind: `${read.table} ${read.address}+${read.count}`,
        bytes,
        reset: () => (this.decoder instanceof RtuDecoder ? this.decoder.asked(bytes) : this.decoder.reset()),
        take: (chunk) => this.decoder.push(chunk).find(isMine),
        read: ({ exception, data }) =>
          exception === undefined
            ? { decoded: valuesOf(read, data) }
            : {
                result: 'exception',
                hint: `读 ${read.table === 'input' ? '输入' : '保持'}寄存器 ${read.address} 起 ${read.count} 个，设备答异常 ${exception}：${exceptionTexts[exception] ?? '未知异常'}`,
                decoded: { exception },
              },
      })
      if (answer?.exception === undefined && answer) Object.assign(values, valuesOf(read, answer.data))
      // If a unit does not respond to a request, the remaining ones are skipped.
      if (!answer) break
    }
    return values
  }
}

class ElectricReader implements Reader {
  private readonly ask: Ask
  private readonly decoder = new dlt.Dlt645Decoder()

  constructor(ask: Ask) {
    this.ask = ask
  }

  async read(device: FleetDevice, polled: PolledDevice): Promise<Values> {
    const values: Values = {}
    const address = polled.address.padStart(12, '0')
    const wanted = (polled.registers as unknown[]).filter((id): id is string => typeof id === 'string')
    for (const id of wanted.length ? wanted : Object.keys(dlt.meterItems)) {
      let more = true
      for (let part = 0; more && part < mostParts; part++) {
        // Following parts use function 12 and the part number.
        const bytes = part === 0 ? dlt.readMeter(address, id) : dlt.readFollowing(address, id, part)
        const answer = await this.ask(device, {
          kind: id,
          bytes,
          reset: () => this.decoder.reset(),
          take: (chunk) =>
            this.decoder
              .push(chunk)
              .filter((f) => f.address === address)
              .map(dlt.answerOf)
              .find((a) => a !== undefined && (a.error !== undefined || a.id === id)),
          read: ({ error, values: read }) =>
            error === undefined
              ? { decoded: read }
              : { result: 'exception', hint: `电表拒绝数据项 ${id}：${dlt.errorText(error)}`, decoded: { error } },
        })
        if (!answer) return values
        Object.assign(values, answer.values)
        more = answer.more
      }
    }
    return values
  }
}

/** The more common order first. */
const idOrdersTried: readonly cjt.IdOrder[] = ['asWritten', 'lowFirst']

class WaterReader implements Reader {
  private readonly ask: Ask
  private readonly decoder = new cjt.Cjt188Decoder()
  private readonly next = numbers()
  /** Byte order of the data id, by meter address. */
  private readonly orders = new Map<string, cjt.IdOrder>()

  constructor(ask: Ask) {
    this.ask = ask
  }

  /**
   * Uses the byte order the meter last responded to, or tries both. After a timeout the order is forgotten, because the meter may have been
   * replaced.
   */
  async read(device: FleetDevice, polled: PolledDevice): Promise<Values> {
    const address = polled.address.padStart(14, '0')
    const known = this.orders.get(address)
    this.orders.delete(address)
    for (const order of known ? [known] : idOrdersTried) {
      const answer = await this.askWater(device, address, order)
      if (!answer) continue
      this.orders.set(address, order)
      return waterValues(answer)
    }
    return {}
  }

  private async askWater(device: FleetDevice, address: string, order: cjt.IdOrder): Promise<cjt.WaterAnswer | undefined> {
    const read = await this.ask(device, {
      kind: '901F',
      bytes: cjt.readWaterMeter(address, this.next() & 0xff, order),
      reset: () => this.decoder.reset(),
      take: (chunk) =>
        this.decoder
          .push(chunk)
          .filter((f) => f.address === address)
          .map((frame) => ({ frame, answer: cjt.answerOf(frame), refusal: cjt.refusalOf(frame), unit: cjt.unitUnknown(frame) }))
          .find((a) => a.answer !== undefined || a.refusal !== undefined || a.unit),
      read: (a) =>
        a.answer
          ? { decoded: { ...a.answer } }
          : a.refusal
            ? { result: 'exception', hint: a.refusal }
            : { result: 'unit', hint: '水表的计量单位不是升或立方米，数值没有保存：请核对水表设置' },
    })
    return read?.answer
  }
}

function waterValues({ totalVolume, valve, batteryLow, clock, settledVolume }: cjt.WaterAnswer): Values {
  return {
    totalVolume,
    ...(valve ? { valve } : {}),
    batteryLow,
    ...(settledVolume === undefined ? {} : { settledVolume }),
    ...(clock === undefined ? {} : { meterClock: clock }),
  }
}

export const readerFor: Readonly<Record<PollProtocol, (ask: Ask) => Reader>> = {
  modbusTcp: (ask) => new RegisterReader(ask, true),
  modbusRtu: (ask) => new RegisterReader(ask, false),
  dlt645: (ask) => new ElectricReader(ask),
  cjt188: (ask) => new WaterReader(ask),
}

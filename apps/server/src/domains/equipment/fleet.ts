import { isDeepStrictEqual } from 'node:util'
import { type Family, familyOf, type StoredOrder, storedOrder } from '@zhugong/contract/telemetry/families'
import type { PointMarks } from '@zhugong/contract/telemetry/point-marks'
import type pg from 'pg'
import type { Log } from '#kit/log'
import { pick } from '#kit/pick'
import type { DeviceAccess } from './tables.ts'

/** A device, as the ingest needs it. */
export interface FleetDevice {
  id: string
  projectCode: string
  name: string
  sn: string
  family: Family
  order: StoredOrder
  protocol: DeviceAccess['protocol']
  accessKey: string
  access: DeviceAccess
  sealedSecret: Buffer | null
  gatewayId: string | null
  params: Record<string, unknown>
  intervalSeconds: number
  inService: boolean
  /** Marks of points that are damaged, replaced or zeroed; undefined if there are none. */
  points?: PointMarks | undefined
}

export interface FleetGateway {
  id: string
  projectCode: string
  connectionType: string
  sealedSecret: Buffer
  enabled: boolean
}

export interface FleetApp {
  id: string
  name: string
  projectCode: string
  sealedSecret: Buffer
  families: string[]
  enabled: boolean
}

interface DeviceRow {
  id: string
  project_code: string
  name: string
  device_sn: string
  family: string
  protocol: DeviceAccess['protocol']
  access_key: string
  access: DeviceAccess
  access_secret: Buffer | null
  gateway_id: string | null
  params: Record<string, unknown>
  interval_seconds: number
  status: string
  points: PointMarks
}

export interface FleetChange {
  /** Name of the changed table; protocols may have tables of their own. */
  table: string
  id: string
}

/** Negative cache: a failed search is not repeated within this time. Unknown devices may send thousands of requests. */
const missMs = 2_000
const maxSearches = 10_000

/**
 * In-memory cache of gateways, devices and open applications, kept current by NOTIFY. An unknown identifier is looked up in the database
 * once, so that a new device can send data immediately.
 */
export class Fleet {
  private readonly pool: pg.Pool
  private readonly devices = new Map<string, FleetDevice>()
  private readonly byAccess = new Map<string, FleetDevice>()
  private readonly bySn = new Map<string, FleetDevice>()
  private readonly gateways = new Map<string, FleetGateway>()
  private readonly apps = new Map<string, FleetApp>()
  private readonly searches = new Map<string, { until: number; found: Promise<unknown> }>()
  private readonly listeners = new Set<(change: FleetChange) => void>()

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  onChange(listener: (change: FleetChange) => void): void {
    this.listeners.add(listener)
  }

  all(): Iterable<FleetDevice> {
    return this.devices.values()
  }
  get size(): number {
    return this.devices.size
  }
  device(id: string): FleetDevice | undefined {
    return this.devices.get(id)
  }
  gateway(id: string): FleetGateway | undefined {
    return this.gateways.get(id)
  }

  byKey(protocol: string, key: string): FleetDevice | undefined {
    return this.byAccess.get(`${protocol}/${key}`)
  }

  async seekByKey(protocol: string, key: string): Promise<FleetDevice | undefined> {
    await this.seek(this.byAccess, `${protocol}/${key}`, `${protocol}/${key}`, () =>
      this.loadDevices('where protocol = $1 and access_key = $2', [protocol, key]),
    )
    return this.byKey(protocol, key)
  }

  async seekBySn(sn: string): Promise<FleetDevice | undefined> {
    await this.seek(this.bySn, sn, `sn/${sn}`, () => this.loadDevices('where device_sn = $1', [sn]))
    return this.bySn.get(sn)
  }

  async seekGateway(id: string): Promise<FleetGateway | undefined> {
    await this.seek(this.gateways, id, `gateway/${id}`, () => this.loadGateways('where id = $1', [id]))
    return this.gateways.get(id)
  }

  async seekApp(id: string): Promise<FleetApp | undefined> {
    await this.seek(this.apps, id, `app/${id}`, () => this.loadApps('where id = $1', [id]))
    return this.apps.get(id)
  }

  /** Loads an unknown identifier from the database; concurrent callers share one query. */
  private async seek(known: ReadonlyMap<string, unknown>, key: string, name: string, load: () => Promise<unknown>): Promise<void> {
    if (known.has(key)) return
    const now = Date.now()
    let search = this.searches.get(name)
    if (!search || search.until <= now) {
      if (this.searches.size > maxSearches) this.searches.clear()
      const found = load()
      search = { until: now + missMs, found }
      this.searches.set(name, search)
      // A failed query is not cached; the next call retries.
      found.catch(() => this.searches.delete(name))
    }
    await search.found
  }

  /** Reloads everything, and notifies listeners of all differences. */
  async loadAll(): Promise<void> {
    this.searches.clear()
    const before = { gateway: new Map(this.gateways), device: new Map(this.devices), open_app: new Map(this.apps) }
    const [gateways, devices, apps] = await Promise.all([this.loadGateways('', []), this.loadDevices('', []), this.loadApps('', [])])
    // Existing entries stay during the query; deleted ones are removed afterwards.
    for (const id of [...this.devices.keys()]) if (!devices.has(id)) this.drop(id)
    for (const id of [...this.gateways.keys()]) if (!gateways.has(id)) this.gateways.delete(id)
    for (const id of [...this.apps.keys()]) if (!apps.has(id)) this.apps.delete(id)
    const changes = [
      ...differing('gateway', before.gateway, this.gateways),
      ...differing('device', before.device, this.devices),
      ...differing('open_app', before.open_app, this.apps),
    ]
    for (const change of changes) for (const listener of this.listeners) listener(change)
  }

  /** Reloads the changed rows, then notifies the listeners. */
  async refresh(changes: readonly FleetChange[]): Promise<void> {
    const ids = (table: string) => [...new Set(changes.filter((c) => c.table === table).map((c) => c.id))]
    const deviceIds = ids('device')
    const gatewayIds = ids('gateway')
    const appIds = ids('open_app')
    this.searches.clear()
    if (deviceIds.length) {
      const found = await this.loadDevices('where id = any ($1)', [deviceIds])
      for (const id of deviceIds) if (!found.has(id)) this.drop(id)
    }
    if (gatewayIds.length) {
      const found = await this.loadGateways('where id = any ($1)', [gatewayIds])
      for (const id of gatewayIds) if (!found.has(id)) this.gateways.delete(id)
    }
    if (appIds.length) {
      const found = await this.loadApps('where id = any ($1)', [appIds])
      for (const id of appIds) if (!found.has(id)) this.apps.delete(id)
    }
    for (const change of changes) for (const listener of this.listeners) listener(change)
  }

  private drop(id: string): void {
    const device = this.devices.get(id)
    if (!device) return
    this.devices.delete(id)
    this.byAccess.delete(`${device.protocol}/${device.accessKey}`)
    this.bySn.delete(device.sn)
  }

  private async loadDevices(where: string, values: unknown[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<DeviceRow>(
      `select id, project_code, name, device_sn, family, protocol, access_key, access, access_secret, gateway_id, params, interval_seconds, status, points
       from device ${where}`,
      values,
    )
    for (const row of rows) {
      const family = familyOf(row.family)
      const order = storedOrder(row.family)
      if (!family || !order) continue
      const device: FleetDevice = {
        ...pick(row, 'id', 'name', 'protocol', 'access', 'params'),
        projectCode: row.project_code,
        sn: row.device_sn,
        family,
        order,
        accessKey: row.access_key,
        sealedSecret: row.access_secret,
        gatewayId: row.gateway_id,
        intervalSeconds: Number(row.interval_seconds),
        inService: row.status === '1',
        ...(Object.keys(row.points).length > 0 ? { points: row.points } : {}),
      }
      // An unchanged device keeps its object identity for holders of a reference.
      if (isDeepStrictEqual(this.devices.get(row.id), device)) continue
      this.drop(row.id)
      this.devices.set(device.id, device)
      this.byAccess.set(`${device.protocol}/${device.accessKey}`, device)
      this.bySn.set(device.sn, device)
    }
    return new Set(rows.map((r) => r.id))
  }

  private async loadGateways(where: string, values: unknown[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ id: string; project_code: string; connection_type: string; secret: Buffer; status: string }>(
      `select id, project_code, connection_type, secret, status from gateway ${where}`,
      values,
    )
    for (const row of rows) {
      this.gateways.set(row.id, {
        id: row.id,
        projectCode: row.project_code,
        connectionType: row.connection_type,
        sealedSecret: row.secret,
        enabled: row.status === '1',
      })
    }
    return new Set(rows.map((r) => r.id))
  }

  private async loadApps(where: string, values: unknown[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{
      id: string
      name: string
      project_code: string
      secret: Buffer
      families: string[]
      status: string
    }>(`select id, name, project_code, secret, families, status from open_app ${where}`, values)
    for (const row of rows) {
      this.apps.set(row.id, {
        ...pick(row, 'id', 'name', 'families'),
        projectCode: row.project_code,
        sealedSecret: row.secret,
        enabled: row.status === '1',
      })
    }
    return new Set(rows.map((r) => r.id))
  }
}

function differing<T>(table: FleetChange['table'], before: ReadonlyMap<string, T>, now: ReadonlyMap<string, T>): FleetChange[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((id) =>
    isDeepStrictEqual(before.get(id), now.get(id)) ? [] : [{ table, id }],
  )
}

const channels = ['zg_fleet']
const retryMs = 500

/**
 * Keeps a fleet current: listens for changes, and reloads everything after each connect. Other users of the notifications must reload in
 * `catchUp`, because notifications during a disconnection are lost.
 */
export function followFleet(
  fleet: Fleet,
  connect: () => Promise<pg.Client>,
  log: Log,
  catchUp: () => Promise<unknown>,
): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let stopped = false
  let waiting: FleetChange[] = []
  let timer: NodeJS.Timeout | undefined
  let reading = Promise.resolve()

  // Reads run one after the other, so that an older result cannot overwrite a newer one.
  const inTurn = (read: () => Promise<void>): Promise<void> => {
    const done = reading.then(read)
    reading = done.catch(() => undefined)
    return done
  }
  const flush = () => {
    timer = undefined
    const changes = waiting
    waiting = []
    inTurn(() => fleet.refresh(changes)).catch((error: unknown) => {
      log.warn({ err: error }, 'fleet not refreshed')
      if (stopped) return
      waiting.push(...changes)
      timer ??= setTimeout(flush, retryMs)
    })
  }

  /** Opens a listening connection, and reloads everything that may have changed before. */
  async function openEar(): Promise<pg.Client> {
    const next = await connect()
    let isOpen = true
    next.once('error', () => undefined)
    next.once('end', () => {
      isOpen = false
      if (client === next && !stopped) void listen(true)
    })
    next.on('notification', ({ payload }) => {
      const [table, id] = (payload ?? '').split(':')
      if (!table || !id) return
      waiting.push({ table, id })
      // Collects notifications for a moment: an import of a thousand devices needs one read.
      timer ??= setTimeout(flush, 5)
    })
    try {
      for (const channel of channels) await next.query(`listen ${channel}`)
      await inTurn(() => fleet.loadAll())
      await catchUp()
      if (!isOpen) throw new Error('the connection ended meanwhile')
      return next
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
  }

  async function listen(again: boolean): Promise<void> {
    client = undefined
    while (!stopped) {
      try {
        client = await openEar()
        if (again) log.info('listening for changes again')
        // Stopped while the connection was being opened.
        if (stopped) await client.end().catch(() => undefined)
        return
      } catch (error) {
        log.debug({ err: error }, 'cannot listen for changes')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }
  void listen(false)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}

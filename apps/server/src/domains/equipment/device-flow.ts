import { accessProtocols } from '@zhugong/contract/equipment/codes'
import type { DeviceRow } from '@zhugong/contract/equipment/endpoints'
import { families, familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import type { ListContext } from '../exports/registry.ts'
import { isPersonal } from '../readings/public.ts'
import { actionsFor, endFlow, type FlowStart, renewFlow, type WorkDocument } from '../workflow/public.ts'
import type { Difference } from './change-log.ts'

/** Item kind 设备接入 (device access): a new device, or a change of rule-relevant fields of one in service. */
export const accessKind = 'deviceAccess'

export const accessFacts = {
  family: { label: '设备类别', type: 'code' as const, options: Object.fromEntries(families.map((one) => [one.key, one.name])) },
  change: { label: '变更在用设备', type: 'flag' as const },
  record: { label: '已填产权备案编号', type: 'flag' as const },
}

interface Raw {
  id: string
  name: string
  deviceSn: string
  family: string
  modelName: string | null
  protocol: string
  installPlace: string | null
  specialRecordNo: string | null
  ownerCorp: string | null
  params: Record<string, unknown>
  pending: { by: string; difference: Difference[] } | null
  projectCode: string
  createBy: string | null
  applyTime: Date | null
  createTime: Date
}

const columns = sql`d.id, d.name, d.device_sn, d.family, d.model_name, d.protocol, d.install_place, d.special_record_no, d.owner_corp, d.params, d.pending,
  d.project_code, d.create_by, d.apply_time, d.create_time`
const waits = sql`(d.status = '0' or d.pending is not null)`

const flowStart = (d: Raw, groupId: string): FlowStart => ({
  kind: accessKind,
  groupId,
  projectCode: d.projectCode,
  corpCode: d.ownerCorp,
  objectId: d.id,
  title: `${d.pending ? '设备变更' : '设备登记'} ${d.name}`,
  facts: { family: d.family, change: d.pending !== null, record: Boolean(d.specialRecordNo) },
})

/** Starts or renews the review item of a device with its current data. Does nothing for a device that needs no review. */
export async function askReview(ctx: Context, id: string): Promise<void> {
  const { rows } = await sql<Raw>`select ${columns} from device d where d.id = ${id} and ${waits}`.execute(ctx.db)
  if (rows[0]) await renewFlow(ctx, flowStart(rows[0], ctx.group.id))
}

/** The current or last review item of each device, and the actions the caller may take now. */
export async function findReviews(ctx: ListContext, ids: readonly string[]): Promise<Map<string, NonNullable<DeviceRow['review']>>> {
  if (ids.length === 0) return new Map()
  const actions = await actionsFor(ctx, accessKind, ids)
  const { rows } = await sql<{ objectId: string; id: string }>`select distinct on (object_id) object_id, id from work_item
    where kind = ${accessKind} and object_id = any (${[...ids]}) order by object_id, create_time desc, id desc`.execute(ctx.db)
  return new Map(rows.map(({ objectId, id }) => [objectId, { itemId: id, actions: actions.get(objectId)?.actions ?? [] }]))
}

/** Ends the review items of devices that are about to be deleted. */
export const endReviews = (ctx: Context, ids: readonly string[]): Promise<void> => endFlow(ctx, accessKind, ids, '设备已删除')

/** The review document of a device. Data of a wearable may be personal, so for wearables it names the changed fields without values. */
export async function accessDocument({ db }: Pick<Context, 'db'>, id: string): Promise<WorkDocument | undefined> {
  const { rows } = await sql<Raw>`select ${columns} from device d where d.id = ${id}`.execute(db)
  const [d] = rows
  if (!d) return undefined
  const family = familyOf(d.family)
  const hides = isPersonal(d.family)
  const params = d.pending || hides ? [] : (family?.params ?? [])
  return {
    fields: [
      { label: '设备', value: d.name },
      { label: '序列号', value: d.deviceSn },
      { label: '类别', value: family?.name ?? d.family },
      { label: '型号', value: d.modelName },
      { label: '接入方式', value: accessProtocols[d.protocol as keyof typeof accessProtocols] ?? d.protocol },
      { label: '安装位置', value: d.installPlace },
      { label: '产权备案编号', value: d.specialRecordNo },
      ...params.flatMap(({ key, label, unit, values }) => {
        const value = d.params[key]
        if (value === undefined || value === null || value === '') return []
        return [{ label, value: values?.[String(value)] ?? `${String(value)}${unit ? ` ${unit}` : ''}` }]
      }),
    ],
    changes: (d.pending?.difference ?? []).map((one) => (hides ? { label: one.label, before: '（不显示）', after: '（已修改）' } : one)),
  }
}

/**
 * Devices that need a review but have no item: from before the workflow, seeds, or machines. The applicant is the site's member with the
 * creator's name.
 */
export async function waitingDevices(db: Db | Tx, objectId?: string): Promise<FlowStart[]> {
  const { rows } = await sql<Raw & { siteGroup: string; applicantId: string | null }>`
    select ${columns}, t.id as site_group, (select u.id from member m join app_user u on u.id = m.user_id
        where u.name = coalesce(d.pending ->> 'by', d.create_by) order by m.group_id <> t.id, u.id limit 1) as applicant_id
    from device d join tenant t on t.type = 3 and t.code = d.project_code
    where ${waits} and ${objectId === undefined ? sql`true` : sql`d.id = ${objectId}`}
      and not exists (select 1 from work_item i where i.kind = ${accessKind} and i.object_id = d.id and i.state = '1')`.execute(db)
  return rows.map((d) => ({
    ...flowStart(d, d.siteGroup),
    since: d.applyTime ?? d.createTime,
    applicant: { id: d.applicantId ?? '', name: d.pending?.by ?? d.createBy ?? '', groupId: d.siteGroup },
  }))
}

import {
  createVehicleFence,
  listVehicleFences,
  removeVehicleFence,
  updateVehicleFence,
  type VehicleFence,
  vehicleFenceKinds,
} from '@zhugong/contract/monitoring/vehicle/vehicle-fences'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import type { LngLat } from '#kit/geo.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import type { MapArea, MapLine } from '#kit/map-props.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { EditedList } from '../edited-list.tsx'
import { FenceDrawing } from './fence-drawing.tsx'

const { Field } = formOf(createVehicleFence, updateVehicleFence)

const refreshed = [listVehicleFences]
const mostFences = 200
const routeWidth = 7

export function useVehicleFences(projectCode: string): readonly VehicleFence[] {
  const { data } = useCall(listVehicleFences, { query: { projectCode, size: mostFences } }, { quiet: true, staleMs: 60_000 })
  return data?.list ?? []
}

const clock = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
export const hoursWords = ({ kind, fromMinute, untilMinute }: Pick<VehicleFence, 'kind' | 'fromMinute' | 'untilMinute'>): string =>
  kind !== 'forbidden' ? '--' : fromMinute === null || untilMinute === null ? '全天' : `${clock(fromMinute)} 至 ${clock(untilMinute)}`

/** Dump sites and forbidden areas as map areas. */
export const areasOf = (fences: readonly VehicleFence[]): MapArea[] =>
  fences.flatMap((one): MapArea[] =>
    one.kind === 'route'
      ? []
      : [
          {
            id: one.id,
            ring: one.points,
            label: one.kind === 'forbidden' ? `${one.name} ${hoursWords(one)}` : one.name,
            kind: one.kind === 'forbidden' ? 'danger' : 'zone',
          },
        ],
  )
export const routesOf = (fences: readonly VehicleFence[], color: string): MapLine[] =>
  fences.filter((one) => one.kind === 'route').map((one) => ({ id: one.id, path: one.points, color, width: routeWidth }))

/** Routes, dump sites and forbidden areas of a site's trucks, with editing for permitted users. */
export function VehicleFences({ projectCode, around, onClose }: { projectCode: string; around: readonly LngLat[]; onClose: () => void }) {
  const list = useCall(listVehicleFences, { query: { projectCode, size: mostFences } }, { quiet: true })
  const [edited, setEdited] = useState<VehicleFence | 'new'>()
  const remove = useAct(removeVehicleFence, { success: '已删除，一分钟内不再据此告警', refreshes: refreshed })
  return (
    <>
      <PageDrawer
        open
        size={620}
        title="路线、消纳场与禁行区"
        onClose={onClose}
        extra={
          <Can call={createVehicleFence}>
            <Button type="primary" onClick={() => setEdited('new')}>
              画一个
            </Button>
          </Can>
        }
      >
        <EditedList
          read={list}
          columns={[
            { title: '名称', value: (fence) => fence.name },
            { title: '类型', value: (fence) => vehicleFenceKinds[fence.kind] },
            { title: '禁行时段', value: hoursWords },
            { title: '说明', value: (fence) => fence.remark ?? '--' },
          ]}
          hint="画出核准的运输路线与消纳场后，偏离路线、违规倾倒和驶入禁行区据此告警"
          change={updateVehicleFence}
          onEdit={setEdited}
          onRemove={(fence) =>
            void remove.afterRequesting(
              {
                thing: `删除${vehicleFenceKinds[fence.kind]} ${fence.name}`,
                consequence: '车辆不再据此告警；以前的告警保留。',
                verb: '删除',
                keep: '保留',
              },
              { params: { id: fence.id }, query: { projectCode } },
            )
          }
        />
      </PageDrawer>
      {edited === 'new' && <NewFence projectCode={projectCode} around={around} onClose={() => setEdited(undefined)} />}
      {edited && edited !== 'new' && (
        <OneFence fence={edited} projectCode={projectCode} around={around} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}

interface FormProps {
  projectCode: string
  around: readonly LngLat[]
  onClose: () => void
}

function NewFence({ projectCode, around, onClose }: FormProps) {
  const act = useAct(createVehicleFence, { success: '已保存，一分钟内生效', refreshes: refreshed })
  const [kind, setKind] = useState<VehicleFence['kind']>('dumpSites')
  return (
    <FormDrawer
      open
      title="画一个"
      act={act}
      initial={{ kind, points: [] }}
      onClose={onClose}
      input={(body: Values) => ({ query: { projectCode }, body: { ...body, kind } })}
    >
      <Fields kind={kind} around={around} onKind={setKind} />
    </FormDrawer>
  )
}

function OneFence({ fence, projectCode, around, onClose }: FormProps & { fence: VehicleFence }) {
  const act = useAct(updateVehicleFence, { success: '已保存，一分钟内生效', refreshes: refreshed })
  const { name, kind, points, fromMinute, untilMinute, remark, version } = fence
  return (
    <FormDrawer
      open
      title={`修改 ${name}`}
      act={act}
      initial={{
        name,
        kind,
        points,
        fromMinute: fromMinute ?? undefined,
        untilMinute: untilMinute ?? undefined,
        remark: remark ?? undefined,
      }}
      onClose={onClose}
      input={(body: BodyOf<typeof updateVehicleFence>) => ({
        params: { id: fence.id },
        query: { projectCode },
        body: { ...body, kind, version },
      })}
    >
      <Fields kind={kind} around={around} />
    </FormDrawer>
  )
}

/** The kind of a drawing cannot be changed. */
function Fields({
  kind,
  around,
  onKind,
}: {
  kind: VehicleFence['kind']
  around: readonly LngLat[]
  onKind?: (kind: VehicleFence['kind']) => void
}) {
  return (
    <>
      <Field name="name" label="名称" required>
        <Input placeholder="如 城东消纳场" />
      </Field>
      <Field name="kind" label="类型" required>
        <Choice
          clear={false}
          value={kind}
          options={Object.entries(vehicleFenceKinds).map(([value, label]) => ({ value, label }))}
          {...(onKind
            ? { onChange: (value: string | undefined) => value && value in vehicleFenceKinds && onKind(value as VehicleFence['kind']) }
            : { disabled: true })}
        />
      </Field>
      {kind === 'forbidden' && (
        <>
          <Field name="fromMinute" label="禁行开始" help="零点起的分钟数，如 7:00 填 420；不填为全天">
            <NumberInput min={0} max={1439} precision={0} />
          </Field>
          <Field name="untilMinute" label="禁行结束">
            <NumberInput min={1} max={1440} precision={0} />
          </Field>
        </>
      )}
      <Field name="remark" label="说明">
        <Input placeholder="如 核准文号、容量" />
      </Field>
      <Field name="points" label="图形" span="all" required>
        <FenceDrawing kind={kind} around={around} />
      </Field>
    </>
  )
}

import { towerDevice } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import {
  type CraneZone,
  craneZoneKinds,
  createCraneZone,
  listCraneZones,
  removeCraneZone,
  updateCraneZone,
} from '@zhugong/contract/monitoring/crane/crane-zones'
import type { Site } from '@zhugong/contract/monitoring/site'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { time } from '#kit/format.ts'
import { NumberInput, TimeInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { EditedList } from '../edited-list.tsx'
import { ZoneDrawing } from '../zone-drawing.tsx'

const { Field } = formOf(createCraneZone, updateCraneZone)

const usualMargin = 5
const refreshed = [listCraneZones, towerDevice]

const spanWords = ({ from, until }: CraneZone): string =>
  from === null && until === null
    ? '长期'
    : `${from === null ? '即日' : time(from).slice(0, 16)} 至 ${until === null ? '长期' : time(until).slice(0, 16)}`

/** Zones of a site: which are in force, and forms to draw and end them. */
export function CraneZones({ projectCode, site, onClose }: { projectCode: string; site: Site; onClose: () => void }) {
  const zones = useCall(listCraneZones, { query: { projectCode, size: 200 } }, { quiet: true })
  const [edited, setEdited] = useState<CraneZone | 'new'>()
  const remove = useAct(removeCraneZone, { success: '区域已删除，一分钟内不再据此告警', refreshes: refreshed })
  return (
    <>
      <PageDrawer
        open
        size={620}
        title="禁吊区"
        onClose={onClose}
        extra={
          <Can call={createCraneZone}>
            <Button type="primary" onClick={() => setEdited('new')}>
              画一个区域
            </Button>
          </Can>
        }
      >
        <EditedList
          read={zones}
          columns={[
            { title: '名称', value: (zone) => zone.name },
            { title: '预警边距 m', value: (zone) => zone.marginMeters },
            { title: '有效期', value: spanWords },
            { title: '状态', value: (zone) => (zone.active ? <Tag tone="fine">生效中</Tag> : <Tag>未生效</Tag>) },
          ]}
          hint="画出学校、道路等上方不得吊物的范围，吊钩靠近或进入时告警；总平面图中的区域不在此处修改"
          change={updateCraneZone}
          onEdit={setEdited}
          onRemove={(zone) =>
            void remove.afterRequesting(
              {
                thing: `删除${craneZoneKinds[zone.kind]} ${zone.name}`,
                consequence: '塔机靠近这里不再告警；以前的告警保留。',
                verb: '删除区域',
                keep: '保留',
              },
              { params: { id: zone.id }, query: { projectCode } },
            )
          }
        />
      </PageDrawer>
      {edited === 'new' && <NewZone projectCode={projectCode} site={site} onClose={() => setEdited(undefined)} />}
      {edited && edited !== 'new' && <OneZone zone={edited} projectCode={projectCode} site={site} onClose={() => setEdited(undefined)} />}
    </>
  )
}

interface FormProps {
  projectCode: string
  site: Site
  onClose: () => void
}

function NewZone({ projectCode, site, onClose }: FormProps) {
  const act = useAct(createCraneZone, { success: '区域已保存，一分钟内生效', refreshes: refreshed })
  return (
    <FormDrawer
      open
      title="画一个区域"
      act={act}
      initial={{ marginMeters: usualMargin, points: [] }}
      onClose={onClose}
      input={(body: Values) => ({ query: { projectCode }, body })}
    >
      <ZoneFields site={site} />
    </FormDrawer>
  )
}

function OneZone({ zone, projectCode, site, onClose }: FormProps & { zone: CraneZone }) {
  const act = useAct(updateCraneZone, { success: '区域已保存，一分钟内生效', refreshes: refreshed })
  const { name, marginMeters, points, from, until, version } = zone
  return (
    <FormDrawer
      open
      title={`修改 ${name}`}
      act={act}
      initial={{
        name,
        marginMeters,
        points,
        version,
        from: from === null ? undefined : time(from),
        until: until === null ? undefined : time(until),
      }}
      onClose={onClose}
      input={(body: BodyOf<typeof updateCraneZone>) => ({ params: { id: zone.id }, query: { projectCode }, body: { ...body, version } })}
    >
      <ZoneFields site={site} />
    </FormDrawer>
  )
}

function ZoneFields({ site }: { site: Site }) {
  return (
    <>
      <Field name="name" label="名称" required>
        <Input placeholder="如 第三小学上空" />
      </Field>
      <Field name="marginMeters" label="预警边距">
        <NumberInput unit="m" min={0} max={200} precision={1} />
      </Field>
      <Field name="from" label="开始时间" help="不填为即日">
        <TimeInput />
      </Field>
      <Field name="until" label="结束时间" help="不填为长期">
        <TimeInput />
      </Field>
      <Field name="points" label="范围" span="all" required>
        <ZoneDrawing site={site} />
      </Field>
    </>
  )
}

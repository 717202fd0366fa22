import { type PlaceKind, placeWords } from '@zhugong/contract/places/kinds'
import { changePlace, copyRooms, createPlace, type SitePlace } from '@zhugong/contract/places/places'
import { listUnitProjects } from '@zhugong/contract/places/units'
import { Input, Switch } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices } from '#kit/inputs.tsx'

const { Field } = formOf(createPlace)
const copy = formOf(copyRooms)

interface NewPlaceProps {
  projectCode: string
  kind: PlaceKind
  parent: SitePlace | null
  onClose: () => void
  onMade: (id: string) => void
}

export function NewPlace({ projectCode, kind, parent, onClose, onMade }: NewPlaceProps) {
  const act = useAct(createPlace, { success: `${placeWords[kind]}已新增`, onDone: ({ id }) => onMade(id) })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={`新增${placeWords[kind]}`}
      remark={parent?.fullName}
      initial={{ projectCode, parentId: parent?.id ?? null, kind }}
      onClose={onClose}
    >
      <Names projectCode={projectCode} kind={kind} />
    </FormDrawer>
  )
}

export function ChangePlace({ projectCode, place, onClose }: { projectCode: string; place: SitePlace; onClose: () => void }) {
  const act = useAct(changePlace, { success: '部位已保存' })
  const { id, version, name, code, unitId } = place
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={`修改${placeWords[place.kind]}`}
      remark={place.fullName}
      initial={{ id, version, name, code, unitId }}
      onClose={onClose}
    >
      <Names projectCode={projectCode} kind={place.kind} />
    </FormDrawer>
  )
}

const examples: Readonly<Record<PlaceKind, string>> = {
  building: '例如 1# 楼',
  unit: '例如 1 单元',
  floor: '例如 5层',
  room: '例如 501',
  area: '例如 基坑东侧',
}

function Names({ projectCode, kind }: { projectCode: string; kind: PlaceKind }) {
  const units = useCall(listUnitProjects, { query: { projectCode } }, { quiet: true, enabled: kind === 'building' })
  return (
    <>
      <Field name="name" label="名称">
        <Input placeholder={examples[kind]} />
      </Field>
      <Field name="code" label="编号">
        <Input />
      </Field>
      {kind === 'building' && (
        <Field name="unitId" label="对应单体工程">
          <Choice options={(units.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))} />
        </Field>
      )}
    </>
  )
}

/** Gives other floors of the building the rooms, and if wanted the plan, of one. */
export function CopyRooms({ floor, floors, onClose }: { floor: SitePlace; floors: readonly SitePlace[]; onClose: () => void }) {
  const act = useAct(copyRooms, {
    success: ({ created, kept, plans }) =>
      `新增 ${created} 个房间${kept ? `，${kept} 个已存在` : ''}${plans ? `，${plans} 层用上该平面图` : ''}`,
  })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="复制房间到其他楼层"
      remark={floor.fullName}
      initial={{ id: floor.id, to: [], withPlan: false }}
      onClose={onClose}
    >
      <copy.Field name="to" label="楼层" help="房间号随楼层变化：501 到 6 层为 601；已有的房间不变">
        <Choices options={floors.map((one) => ({ value: one.id, label: one.fullName }))} />
      </copy.Field>
      <copy.Field name="withPlan" label="没有平面图的楼层沿用本层平面图" valueName="checked">
        <Switch />
      </copy.Field>
    </FormDrawer>
  )
}

import { changeRoom, createRooms, facilities, getRoom, listRooms, type RoomDetail, roomForm } from '@zhugong/contract/residence/calls'
import { bedsFor, dormitory, usages } from '@zhugong/contract/residence/rules'
import { Checkbox, Input } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage, useFormInstance } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { Choice, DayInput, NumberInput } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { anyProject, paths } from './residence-words.tsx'
import './residence.css'

type Room = BodyOf<typeof createRooms>['rooms'][number]
/** A room, and for a batch how many floors and rooms of the same kind. */
type Form = Room & { floors: number; perFloor: number }
const { Field, useValue } = fieldsOf<Form>()
const none = Object.fromEntries(Object.keys(facilities).map((key) => [key, true])) as Record<keyof typeof facilities, boolean>

/** Set up rooms floor by floor, or one (`?id=` edits it). */
export default function ResidenceFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  if (id) return <Change id={id} />
  if (projectCode === '*') return <ProjectPicker why="给哪个项目登记房间" />
  return <Create key={projectCode} projectCode={projectCode} />
}

const two = (n: number) => String(n).padStart(2, '0')
/** Rooms of a batch: number of the floor and two digits. */
function roomsOf({ floors, perFloor, floor, ...room }: Form): Room[] {
  if (floors * perFloor <= 1) return [{ ...room, floor }]
  return Array.from({ length: floors }, (_, f) =>
    Array.from({ length: perFloor }, (_, n) => ({ ...room, floor: floor + f, roomNo: `${floor + f}${two(n + 1)}` })),
  ).flat()
}

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const act = useAct(createRooms, { success: ({ ids }) => `已登记 ${ids.length} 间`, onDone: () => page.leave(paths.list) })
  return (
    <FormPage
      act={act}
      title="新建房间"
      saveText="保存"
      schema={roomForm}
      initial={{ ...none, type: dormitory, floor: 1, floors: 1, perFloor: 1, roomNo: '101', area: 20, beds: 8, usage: '1' }}
      input={(body) => ({ query: { projectCode }, body: { rooms: roomsOf(body as unknown as Form) } })}
      aside={<Preview projectCode={projectCode} />}
    >
      <Fields batch />
    </FormPage>
  )
}

/** The tiles that will be made; clashes are named before saving. */
function Preview({ projectCode }: { projectCode: string }) {
  const form = useFormInstance()
  const building = useValue('buildingName')
  useValue('floors')
  useValue('perFloor')
  useValue('floor')
  useValue('roomNo')
  const known = useCall(listRooms, { query: { projectCode, page: 1, size: 1000 } }, { quiet: true }).data?.list
  const values = form.getFieldsValue(true) as Form
  const rooms = values.floors && values.perFloor ? roomsOf(values) : []
  const taken = new Set(known?.filter((one) => one.buildingName === building).map((one) => one.roomNo))
  const clashes = rooms.filter((one) => taken.has(one.roomNo))
  return (
    <Card title="预览" remark={`${rooms.length} 间`}>
      {clashes.length > 0 && <Notice tone="danger">已存在：{clashes.map((one) => one.roomNo).join('、')}</Notice>}
      <div className="residence-tiles">
        {rooms.map((one) => (
          <span key={one.roomNo} className="residence-tile" data-warns={taken.has(one.roomNo) ? '' : undefined}>
            <b>{one.roomNo}</b>
            <span>{one.beds} 床</span>
          </span>
        ))}
      </div>
    </Card>
  )
}

function Change({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getRoom, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  const act = useAct(changeRoom, { success: '已保存', onDone: () => page.leave(hrefOf(paths.detail, { id })) })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return (
    <FormPage
      key={file?.version ?? 'none'}
      act={act}
      title="修改房间"
      remark={file && `${file.buildingName} ${file.roomNo}`}
      saveText="保存"
      loading={!file}
      initial={file ? { ...valuesOf(file), action: 'save', version: file.version } : {}}
      input={(body) => ({ params: { id }, query: anyProject, body })}
    >
      <Fields />
    </FormPage>
  )
}

const valuesOf = (file: RoomDetail) => {
  const { type, buildingName, floor, roomNo, area, beds, usage, manager, fireNext } = file
  const has = Object.fromEntries(Object.keys(facilities).map((key) => [key, file[key as keyof typeof facilities]]))
  return { type, buildingName, floor, roomNo, area, beds, usage, manager, fireNext, ...has }
}

function Fields({ batch = false }: { batch?: boolean }) {
  const dicts = useDicts('residenceType')
  const form = useFormInstance()
  const type = useValue('type')
  const area = useValue('area')
  const floors = useValue('floors')
  const perFloor = useValue('perFloor')
  const many = batch && Number(floors ?? 1) * Number(perFloor ?? 1) > 1
  const most = area ? bedsFor(area) : undefined
  return (
    <>
      <FieldGroup title="房间">
        <Field name="type" label="类型" required>
          <TypeChoice
            options={dicts.options('residenceType')}
            onChosen={(next) => form.setFieldsValue(next === dormitory ? { beds: area ? bedsFor(area) : 1 } : { beds: 0, usage: null })}
          />
        </Field>
        <Field name="buildingName" label="楼栋" required>
          <Input placeholder="例如 1 栋" />
        </Field>
        <Field name="floor" label={batch ? '起始楼层' : '楼层'} required>
          <NumberInput min={1} precision={0} />
        </Field>
        {batch && (
          <>
            <Field name="floors" label="层数" required>
              <NumberInput min={1} precision={0} />
            </Field>
            <Field name="perFloor" label="每层间数" required>
              <NumberInput min={1} precision={0} />
            </Field>
          </>
        )}
        {!many && (
          <Field name="roomNo" label="房间号" required>
            <Input />
          </Field>
        )}
        <Field name="area" label="面积" required>
          <NumberInput unit="㎡" min={1} precision={1} />
        </Field>
        <Field
          name="beds"
          label="床位数"
          required
          help={type === dormitory && most !== undefined ? `按人均 2.5 ㎡最多 ${most} 张` : '只有宿舍设床位'}
        >
          <NumberInput unit="张" min={0} precision={0} />
        </Field>
        {type === dormitory && (
          <Field name="usage" label="男女">
            <Choice options={Object.entries(usages).map(([value, label]) => ({ value, label }))} />
          </Field>
        )}
        <Field name="manager" label="管理员" required>
          <Input />
        </Field>
      </FieldGroup>
      <FieldGroup title="消防与用电">
        {Object.entries(facilities).map(([key, label]) => (
          <Field key={key} name={key as keyof typeof facilities} label={label} valueName="checked">
            <Checkbox>有</Checkbox>
          </Field>
        ))}
        <Field name="fireNext" label="消防设施下次检查">
          <DayInput />
        </Field>
      </FieldGroup>
    </>
  )
}

function TypeChoice({
  onChosen,
  onChange,
  ...rest
}: {
  id?: string
  value?: string
  options: readonly { value: string; label: string }[]
  onChange?: (type: string | undefined) => void
  onChosen: (type: string | undefined) => void
}) {
  return (
    <Choice
      {...rest}
      clear={false}
      onChange={(next) => {
        onChange?.(next)
        onChosen(next)
      }}
    />
  )
}

import { PrinterOutlined } from '@ant-design/icons'
import {
  changeRoom,
  createRooms,
  facilities,
  getRoom,
  listRooms,
  listUnhoused,
  type RoomDetail,
  removeRoom,
} from '@zhugong/contract/residence/calls'
import { usages } from '@zhugong/contract/residence/rules'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, Upload } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { anyProject, paths } from './residence-words.tsx'
import './residence.css'

const { Field, useValue } = formOf(changeRoom)
type Body = BodyOf<typeof changeRoom>
type Stay = RoomDetail['people'][number]
type Open = { action: 'moveIn' | 'check' } | { action: 'move' | 'moveOut'; stay: Stay }

/** Who sleeps here, is the room safe? */
export default function ResidenceDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择房间" hint="从生活区管理打开一间">
          <Button onClick={() => go(paths.list)}>去生活区管理</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Room key={id} id={id} />
    </div>
  )
}

function Room({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('doorCard')
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const read = useCall(getRoom, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.buildingName} ${file.roomNo}`}
      tags={file && <Tag icon={false}>{file.usage ? `${usages[file.usage]}${file.typeName}` : file.typeName}</Tag>}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '面积', value: `${file.area} ㎡` },
              { label: '在住', value: `${file.occupied} / ${file.beds}` },
              { label: '人均', value: file.perPerson === null ? '--' : `${file.perPerson} ㎡` },
              { label: '管理员', value: file.manager },
            ]
          : []
      }
      actions={
        file?.managed &&
        file.beds > 0 && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'doorCard', exportType: 'pdf', query: { id } } })}
          >
            打印门牌卡
          </Button>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={file && <Handle file={file} onOpen={setOpen} />}
    >
      {file && <Content file={file} onOpen={setOpen} />}
      {file && open && <Drawer file={file} open={open} onClose={() => setOpen(undefined)} />}
    </WorkItem>
  )
}

function Handle({ file, onOpen }: { file: RoomDetail; onOpen: (open: Open) => void }) {
  const go = useGo()
  const may = useCan(changeRoom, { projectCode: file.projectCode })
  const remove = useAct(removeRoom, { success: '已删除', onDone: () => go(paths.list) })
  const drop = async () => {
    const name = `${file.buildingName} ${file.roomNo}`
    if (await confirmDanger({ thing: `房间 ${name}`, consequence: '只能删除没有人住过的房间。', verb: '删除' }))
      await remove.run({ params: { id: file.id }, query: anyProject })
  }
  const actions: ItemAction[] = may
    ? [
        ...(file.beds > file.occupied ? [{ label: '入住', main: true, run: () => onOpen({ action: 'moveIn' }) }] : []),
        { label: '检查登记', run: () => onOpen({ action: 'check' }) },
        { label: '修改房间', run: () => go(paths.form, { id: file.id }) },
        ...(file.occupied === 0 ? [{ label: '删除房间', run: () => void drop() }] : []),
      ]
    : []
  return <Handling actions={actions} busy={remove.running} none="由项目生活区管理员办理" />
}

function Content({ file, onOpen }: { file: RoomDetail; onOpen: (open: Open) => void }) {
  const go = useGo()
  const [last] = file.checks
  const failed = last && !(last.fire && last.power && last.hygiene)
  const beds = Array.from({ length: file.beds }, (_, i) => ({ bed: i + 1, stay: file.people.find((one) => one.bed === i + 1) }))
  return (
    <>
      {file.warnings.map((one) => (
        <Notice key={one} tone="warning">
          {one}
        </Notice>
      ))}
      {failed && (
        <Notice
          tone="danger"
          actions={
            <Can code="inspection.rectifyIssue">
              <Button
                size="small"
                onClick={() =>
                  go('/safetyP/abarbeitung/create', {
                    project: file.projectCode,
                    about: `${file.buildingName} ${file.roomNo}：${last.note ?? ''}`,
                    part: `${file.buildingName} ${file.roomNo}`,
                  })
                }
              >
                下发整改
              </Button>
            </Can>
          }
        >
          {last.at.slice(0, 16)} 检查不合格：{last.note}
        </Notice>
      )}
      {file.beds > 0 && (
        <Card title="床位" remark={file.managed ? undefined : `在住 ${file.occupied} 人，姓名由生活区管理员查看`}>
          {file.managed && (
            <ul className="residence-beds">
              {beds.map(({ bed, stay }) => (
                <li key={bed}>
                  <span className="zg-2">{bed} 号床</span>
                  {stay ? (
                    <>
                      <b>{stay.name}</b>
                      <span className="zg-2">{stay.teamName ?? '--'}</span>
                      <span className="zg-2">{stay.fromDay} 入住</span>
                      {stay.leftOver && <Tag tone="warning">已退场</Tag>}
                      <Can call={createRooms} at={file}>
                        <span>
                          <Button size="small" type="link" onClick={() => onOpen({ action: 'move', stay })}>
                            调床
                          </Button>
                          <Button size="small" type="link" onClick={() => onOpen({ action: 'moveOut', stay })}>
                            退宿
                          </Button>
                        </span>
                      </Can>
                    </>
                  ) : (
                    <span>空床</span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
      <Card title="消防与用电">
        <Pairs
          items={[
            ...Object.entries(facilities).map(([key, label]) => ({ label, value: file[key as keyof typeof facilities] ? '有' : '无' })),
            { label: '消防下次检查', value: file.fireNext },
          ]}
        />
      </Card>
      <Card title="检查记录">
        {file.checks.length === 0 && <Empty small text="还没有检查" />}
        <ul className="residence-lines">
          {file.checks.map((one) => (
            <li key={one.id}>
              <span className="zg-num">{one.at.slice(0, 16)}</span>
              <span>{one.byName}</span>
              <Tag tone={one.fire ? 'fine' : 'danger'}>消防</Tag>
              <Tag tone={one.power ? 'fine' : 'danger'}>用电</Tag>
              <Tag tone={one.hygiene ? 'fine' : 'danger'}>卫生</Tag>
              {one.note && <span>{one.note}</span>}
              {one.photos.length > 0 && <Papers files={one.photos} name="检查" />}
            </li>
          ))}
        </ul>
      </Card>
      {file.managed && file.history.length > 0 && (
        <Card title="住宿历史" remark="用于追溯，只有生活区管理员可见">
          <ul className="residence-lines">
            {file.history.map((one) => (
              <li key={one.stayId}>
                <span>{one.name}</span>
                <span>{one.bed} 号床</span>
                <span className="zg-num">
                  {one.fromDay} 至 {one.toDay}
                </span>
                <span className="zg-2">{one.reason}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const titles = { moveIn: '入住', move: '调床', moveOut: '退宿', check: '检查登记' } as const

function Drawer({ file, open, onClose }: { file: RoomDetail; open: Open; onClose: () => void }) {
  const act = useAct(changeRoom, { success: '已办理' })
  const { action } = open
  const stay = 'stay' in open ? open.stay : undefined
  return (
    <FormDrawer
      act={act}
      open
      narrow
      title={titles[action]}
      remark={stay?.name ?? `${file.buildingName} ${file.roomNo}`}
      onClose={onClose}
      initial={{ action, version: file.version, stayId: stay?.stayId, fire: true, power: true, hygiene: true, photos: [] }}
      input={(body) => ({
        params: { id: file.id },
        query: anyProject,
        body: { ...(body as Body), action, version: file.version } as Body,
      })}
    >
      {action === 'moveIn' && <MoveIn file={file} />}
      {action === 'move' && <Move file={file} />}
      {action === 'moveOut' && (
        <Field name="reason" label="原因" span="all">
          <LongText rows={2} />
        </Field>
      )}
      {action === 'check' && (
        <>
          {(['fire', 'power', 'hygiene'] as const).map((key) => (
            <Field key={key} name={key} label={{ fire: '消防', power: '用电', hygiene: '卫生' }[key]} valueName="checked">
              <Checkbox>合格</Checkbox>
            </Field>
          ))}
          <Field name="note" label="检查情况" span="all" help="不合格须写明情况">
            <LongText rows={3} />
          </Field>
          <Field name="photos" label="照片" span="all">
            <Upload max={9} camera="environment" />
          </Field>
        </>
      )}
    </FormDrawer>
  )
}

const freeBeds = (beds: number, taken: readonly number[]) =>
  Array.from({ length: beds }, (_, i) => i + 1)
    .filter((bed) => !taken.includes(bed))
    .map((bed) => ({ value: String(bed), label: `${bed} 号床` }))

function MoveIn({ file }: { file: RoomDetail }) {
  const people = useCall(listUnhoused, { query: { projectCode: file.projectCode } }, { quiet: true }).data?.people
  return (
    <>
      <Field name="workerId" label="人员" span="all" help="在场且未登记住处的人员">
        <Choice
          clear={false}
          loading={!people}
          options={(people ?? []).map((one) => ({
            value: one.workerId,
            label: [one.name, one.teamName, usages[one.gender]].filter(Boolean).join(' · '),
          }))}
        />
      </Field>
      <Field name="bed" label="床号">
        <BedChoice
          options={freeBeds(
            file.beds,
            file.people.map((one) => one.bed),
          )}
        />
      </Field>
    </>
  )
}

function Move({ file }: { file: RoomDetail }) {
  const rooms = useCall(listRooms, { query: { projectCode: file.projectCode, free: true, page: 1, size: 1000 } }, { quiet: true }).data
    ?.list
  const toRoomId = useValue('toRoomId')
  const target = useCall(getRoom, { params: { id: toRoomId ?? '' }, query: anyProject }, { quiet: true, enabled: Boolean(toRoomId) }).data
  return (
    <>
      <Field name="toRoomId" label="调到" span="all">
        <Choice
          clear={false}
          loading={!rooms}
          options={(rooms ?? []).map((one) => ({
            value: one.id,
            label: `${one.buildingName} ${one.roomNo}（${one.occupied} / ${one.beds}）`,
          }))}
        />
      </Field>
      <Field name="bed" label="床号">
        <BedChoice
          options={
            target
              ? freeBeds(
                  target.beds,
                  target.people.map((one) => one.bed),
                )
              : []
          }
        />
      </Field>
    </>
  )
}

/** The number of a bed as a choice. */
function BedChoice({
  id,
  value,
  options,
  onChange,
}: {
  id?: string
  value?: number
  options: readonly { value: string; label: string }[]
  onChange?: (bed: number | undefined) => void
}) {
  return (
    <Choice
      {...(id ? { id } : {})}
      clear={false}
      options={options}
      value={value === undefined ? undefined : String(value)}
      onChange={(next) => onChange?.(next === undefined ? undefined : Number(next))}
    />
  )
}

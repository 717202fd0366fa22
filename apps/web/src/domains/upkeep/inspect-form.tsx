import { suspendedMachine } from '@zhugong/contract/machines/moves'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { type BoardRow, createMachineCheck, getMachineCheck, results } from '@zhugong/contract/upkeep/inspections'
import { beforeShift, itemsOf, testTypes, type UpkeepItem } from '@zhugong/contract/upkeep/items'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, Forbidden, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldAct } from '#kit/field/use-field-act.ts'
import { Choice, Upload } from '#kit/inputs.tsx'
import { PageTitle } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { useGo } from '#kit/page.tsx'
import { SignaturePad } from '#kit/signature-pad.tsx'
import { uid } from '#kit/uid.ts'
import { emptyProblem, type Problem } from '../checks/public.tsx'
import { CheckItems } from './check-items.tsx'
import type { Looked } from './looked.ts'
import { anyProject, paths } from './upkeep-words.tsx'
import { useMachines } from './use-machines.ts'

/** Stands in the address where no machine is chosen yet. */
export const chooseMachine = 'choose'

/** A check of one machine on a phone: before the shift it takes a minute. */
export function InspectForm({ machineId, type }: { machineId: string | null; type: string | null }) {
  const projectCode = useProjectCode()
  const { machines, data, error } = useMachines({ projectCode })
  const go = useGo()
  const machine = machines.find((one) => one.id === machineId)
  const choose = (id: string | null | undefined) => go(paths.inspect, { machine: id ?? chooseMachine })
  return (
    <Can call={createMachineCheck} fallback={<Forbidden code="inspection.deviceInspect" />}>
      <div className="zg-page">
        <PageTitle title="登记设备检查" remark="随写随存在本机，没有网络也能提交" />
        {!data && !error ? (
          <DetailSkeleton />
        ) : machine ? (
          <Form key={machine.id} machine={machine} startType={type ?? beforeShift} onOther={() => choose(null)} />
        ) : (
          <div className="check-field">
            <Card title="检查哪台设备" remark={machineId ? '没有找到该设备，或它不在使用中' : '也可以扫描机身上的设备铭牌'}>
              {machines.length === 0 ? (
                <Empty text="没有在用的设备" hint="起重机械在“监督设备”中建档并办理使用登记后可以检查" />
              ) : (
                <Choice
                  id="upkeep-machine"
                  options={machines.map((one) => ({
                    value: one.id,
                    label: projectCode === '*' ? `${one.projectName} ${one.name}` : `${one.name}（${one.deviceTypeName}）`,
                  }))}
                  value={null}
                  onChange={choose}
                />
              )}
            </Card>
          </div>
        )}
      </div>
    </Can>
  )
}

interface FormDraft {
  id: string
  type: string
  items: Record<string, Looked>
  /** Null: as the items say. */
  result: string | null
  remark: string
  checkOrg: string
  photos: string[]
  reports: string[]
}

function Form({ machine, startType, onOther }: { machine: BoardRow; startType: string; onOther: () => void }) {
  const go = useGo()
  const dicts = useDicts('deviceInspectType', 'deviceInspectResult')
  const { projectCode } = machine
  const [fresh] = useState<FormDraft>(() => ({
    id: uid(),
    type: startType,
    items: {},
    result: null,
    remark: '',
    checkOrg: '',
    photos: [],
    reports: [],
  }))
  const [held, hold, clear] = useDeviceDraft(`machine check ${machine.id}`, fresh)
  const [drawn, setDrawn] = useState<string>()
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const { id, type, items, result, remark, checkOrg, photos, reports } = held ?? fresh
  const lastId = machine.cells.find((one) => one.type === type)?.lastId ?? null
  const last = useCall(
    getMachineCheck,
    { params: { id: lastId ?? '' }, query: anyProject },
    { quiet: true, offline: true, enabled: lastId !== null },
  )
  const send = useFieldAct(createMachineCheck, {
    success: (done) => (done?.suspended ? '检查已提交，设备已转为停用' : '检查已提交'),
    onDone: (done) => {
      clear()
      go(paths.inspectDetail, { id: done?.id ?? id })
    },
    onKept: () => {
      clear()
      go(paths.inspect)
    },
  })
  if (!held) return <DetailSkeleton />
  const set = (change: Partial<FormDraft>) => hold({ ...held, ...change })
  const list = itemsOf(machine.deviceType, type)
  const failed = list.filter((one) => items[one.code]?.result === itemResults.wrong)
  const open = list.filter((one) => items[one.code] === undefined)
  const conclusion = failed.length === 0 ? results.fit : (result ?? results.repair)
  const problems = failed.flatMap((one) => items[one.code]?.problem ?? [])
  const faults = faultsOf(send.fieldErrors, list, failed)
  const look = (item: UpkeepItem, change: Partial<Looked>) => {
    const before = items[item.code] ?? { result: '', note: null, photos: [], problem: null }
    const next = { ...before, ...change }
    const isFailed = next.result === itemResults.wrong
    set({
      items: {
        ...items,
        [item.code]: { ...next, problem: isFailed ? (next.problem ?? problemOf(item, machine, people.data?.corps ?? [])) : null },
      },
    })
  }
  const submit = async () => {
    const stops = conclusion === results.stop || conclusion === results.scrap
    const sure =
      !stops ||
      (await confirmDanger({
        thing: `${dicts.name('deviceInspectResult', conclusion)} ${machine.name}`,
        consequence:
          conclusion === results.scrap
            ? '设备将转为停用，且不能恢复使用，也不能再转到其他工地。'
            : '设备将转为停用，复查合格后才恢复使用。停用期间的作业会被标出。',
        verb: conclusion === results.scrap ? '报废并停用' : '提交并停用',
        keep: '再核对一下',
      }))
    if (!sure) return
    const body = {
      id,
      machineId: machine.id,
      type,
      items: list.map(({ code }) => ({
        code,
        result: (items[code]?.result || itemResults.notApplicable) as '1' | '2' | '3',
        note: items[code]?.note ?? null,
        photos: items[code]?.photos ?? [],
      })),
      result: conclusion,
      problems: conclusion === results.scrap ? problems.filter((one) => one.photos.length > 0) : problems,
      checkOrg: checkOrg || null,
      remark: remark || null,
      photos,
      reports,
      signature: drawn ?? null,
    }
    await send.run(
      { query: { projectCode }, body },
      {
        id,
        title: `设备检查 ${machine.name}`,
        page: paths.inspect,
        lines: [
          { label: '检查类型', text: dicts.name('deviceInspectType', type) },
          ...problems.map((one, i) => ({ label: `问题 ${i + 1}`, text: one.description })),
        ],
      },
    )
  }
  return (
    <>
      <div className="check-field">
        <div>
          <Card
            title={machine.name}
            remark={[machine.projectName, machine.deviceTypeName, machine.model, machine.position].join(' · ')}
            actions={<Button onClick={onOther}>换一台</Button>}
          >
            {machine.state === suspendedMachine && <Notice tone="danger">设备停用中：复查合格前不得作业。</Notice>}
            <span className="zg-label" id="upkeep-type">
              检查类型
            </span>
            <div className="check-chips" role="group" aria-labelledby="upkeep-type">
              {dicts.options('deviceInspectType').map((one) => (
                <button
                  key={one.value}
                  type="button"
                  aria-pressed={one.value === type}
                  onClick={() => set({ type: one.value, result: null })}
                >
                  {one.label}
                </button>
              ))}
            </div>
          </Card>
          <CheckItems
            list={list}
            items={items}
            corps={people.data?.corps ?? []}
            before={last.data?.items ?? []}
            beforeDate={last.data?.checkDate.slice(0, 10) ?? null}
            faults={faults}
            onLook={look}
            onAllPass={() =>
              set({
                items: Object.fromEntries(
                  list.map(({ code }) => [code, items[code] ?? { result: itemResults.right, note: null, photos: [], problem: null }]),
                ),
              })
            }
          />
          {send.fieldErrors.items && <Notice tone="danger">{send.fieldErrors.items}</Notice>}
          <Card title="照片与结论">
            <span className="zg-label">{type === beforeShift ? '整机或仪表照片' : '检查照片'}</span>
            <FieldPhotos max={9} value={photos} onChange={(next) => set({ photos: next })} />
            {send.fieldErrors.photos && <small className="tone-danger">{send.fieldErrors.photos}</small>}
            {testTypes.includes(type) && (
              <>
                <label className="zg-label" htmlFor="upkeep-org">
                  检测机构
                </label>
                <Input id="upkeep-org" maxLength={100} value={checkOrg} onChange={(event) => set({ checkOrg: event.target.value })} />
                <span className="zg-label">检测报告</span>
                <Upload max={10} accept="image/*,.pdf" value={reports} onChange={(next) => set({ reports: next })} />
                {send.fieldErrors.reports && <small className="tone-danger">{send.fieldErrors.reports}</small>}
              </>
            )}
            {failed.length > 0 && (
              <>
                <span className="zg-label">结论</span>
                <Segmented
                  block
                  size="large"
                  options={dicts.options('deviceInspectResult').filter((one) => one.value !== results.fit)}
                  value={conclusion}
                  onChange={(next) => set({ result: String(next) })}
                />
                {(conclusion === results.stop || conclusion === results.scrap) && (
                  <Notice tone="danger">
                    {conclusion === results.scrap ? '提交后设备将转为停用，不能恢复使用。' : '提交后设备将转为停用，复查合格才恢复。'}
                  </Notice>
                )}
              </>
            )}
            {send.fieldErrors.result && <small className="tone-danger">{send.fieldErrors.result}</small>}
            <label className="zg-label" htmlFor="upkeep-remark">
              检查情况（可不填）
            </label>
            <Input.TextArea
              id="upkeep-remark"
              rows={2}
              maxLength={500}
              value={remark}
              onChange={(event) => set({ remark: event.target.value })}
            />
            <span className="zg-label">检查人签名（可不签）</span>
            <SignaturePad onChange={setDrawn} problem={send.fieldErrors.signature ?? send.fieldErrors.image} />
          </Card>
        </div>
      </div>
      <div className="check-bar">
        <Button
          type="primary"
          size="large"
          danger={conclusion === results.stop || conclusion === results.scrap}
          loading={send.running}
          disabled={open.length > 0 || photos.length === 0}
          onClick={() => void submit()}
        >
          {open.length > 0
            ? `还有 ${open.length} 项未查`
            : photos.length === 0
              ? '请先拍照'
              : failed.length === 0
                ? '合格，提交'
                : `提交（${failed.length} 项不合格）`}
        </Button>
      </div>
    </>
  )
}

/** The problem of an item that failed, addressed to the company that uses the machine. */
function problemOf(item: UpkeepItem, machine: BoardRow, corps: readonly { code: string; name: string }[]): Problem {
  return {
    ...emptyProblem(),
    part: `${machine.name} ${item.group}`,
    itemCode: item.code,
    description: `${item.group}：${item.name}，不符合`,
    requirement: '维修或更换，合格后报复查',
    corpCode: corps.find((one) => one.name === machine.useCorp)?.code ?? '',
  }
}

/** Messages of the server by item: at the item itself, or at a field of its problem. */
function faultsOf(errors: Readonly<Record<string, string>>, list: readonly UpkeepItem[], failed: readonly UpkeepItem[]) {
  const faults: Record<string, Record<string, string>> = {}
  for (const [field, message] of Object.entries(errors)) {
    const [, kind, at, name] = /^(items|problems)\.(\d+)\.(\w+)/.exec(field) ?? []
    const item = (kind === 'problems' ? failed : list)[Number(at)]
    if (item && name) faults[item.code] = { ...faults[item.code], [kind === 'problems' ? name : 'item']: message }
  }
  return faults
}

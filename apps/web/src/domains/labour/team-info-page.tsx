import { addTeamStay, getTeam, setTeamTime, teamForm, updateTeam } from '@zhugong/contract/labour/teams'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, ratio } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { ChildView, useGo, usePageQuery } from '#kit/page.tsx'
import { UploadState } from '../docking/public.tsx'

const { Field } = formOf(addTeamStay, setTeamTime)

/** One team: header and tabs. */
export default function TeamInfoPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const read = useCall(getTeam, { params: { id } }, { quiet: true, enabled: id !== '', staleMs: 15_000 })
  const exit = useAct(setTeamTime, { success: '班组已退场' })
  const [moving, setMoving] = useState(false)
  const t = read.data
  const place = t && { projectCode: t.projectCode, corpCode: t.corpCode }
  if (!id) {
    return <NothingChosen title="班组信息" thing="班组" one="一个班组" from={{ path: '/teamSystem', name: '班组管理' }} />
  }
  const leave = async () => {
    const stay = t?.stays.find((s) => !s.exitTime)
    if (!t || !stay) return
    if (t.headcount > 0) {
      notify.warning(`${t.teamName}还有 ${t.headcount} 人在场，先办理人员退场`)
      go('/personList', { stationed: '1', teamId: t.id })
      return
    }
    await exit.afterRequesting(
      {
        thing: `让 ${t.teamName} 退出 ${t.projectName}`,
        consequence: '退场后班组空闲，可调往其他项目；本项目的记录保留。',
        verb: '班组退场',
        keep: '不退场',
      },
      { body: { id: stay.id, exitTime: day(Date.now()) } },
    )
  }
  return (
    <DetailShell
      title={t?.teamName}
      place={place}
      tags={
        t && (
          <>
            {t.exitTime ? <Tag>已退场</Tag> : t.headcount ? <Tag tone="fine">在场</Tag> : <Tag tone="running">在场，暂无人员</Tag>}
            <UploadState objectType="team" sourceId={t.id} />
          </>
        )
      }
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/teamSystem"
      facts={
        t
          ? [
              { label: '班组长', value: t.teamLeaderName ?? '未指定', tone: t.teamLeaderName ? undefined : 'warning' },
              { label: '工种', value: t.workTypeName },
              { label: '所属企业', value: t.corpName },
              { label: '在册人数', value: `${t.headcount} 人` },
              { label: '近 30 日出勤率', value: ratio(t.attendRate) },
            ]
          : []
      }
      actions={
        t && (
          <>
            <Can call={updateTeam}>
              <Button onClick={() => go('/teamEdit', { id })}>编辑</Button>
            </Can>
            {t.exitTime ? (
              <Can call={addTeamStay} at={{ corpCode: t.corpCode }}>
                <Button type="primary" onClick={() => setMoving(true)}>
                  调往项目
                </Button>
              </Can>
            ) : (
              <Can call={withCode(setTeamTime, 'labour.teamExit')}>
                <Button danger loading={exit.running} onClick={() => void leave()}>
                  班组退场
                </Button>
              </Can>
            )}
          </>
        )
      }
      side={t ? [{ path: '/teamSystem/info/basic', title: '基本信息', count: t.stays.length }] : []}
    >
      <ChildView />
      {moving && t && <MoveTeam id={id} name={t.teamName} onClose={() => setMoving(false)} />}
    </DetailShell>
  )
}

function MoveTeam({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const act = useAct(addTeamStay, { success: '班组已进场' })
  const form = useCall(teamForm, { query: {} })
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title="调往项目"
      remark={name}
      initial={{ teamId: id, entryTime: day(Date.now()) }}
      onClose={onClose}
    >
      <Field name="projectCode" label="项目" help="所属企业须在该项目在场">
        <Choice options={(form.data?.projects ?? []).map((p) => ({ value: p.code, label: p.name }))} />
      </Field>
      <Field name="entryTime" label="进场日期">
        <DayInput max={day(Date.now())} />
      </Field>
    </FormDrawer>
  )
}

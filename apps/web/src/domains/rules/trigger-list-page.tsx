import { groupTypes } from '@zhugong/contract/access/group-types'
import { createTrigger, deleteTrigger, duplicateTrigger, findTriggers, ruleBase, updateTrigger } from '@zhugong/contract/rules/endpoints'
import { triggerList } from '@zhugong/contract/rules/lists'
import type { TriggerRow } from '@zhugong/contract/rules/model'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import { TriggerBatch } from './trigger-batch.tsx'
import { lowPrecision, triggerColumns } from './trigger-columns.tsx'
import { TriggerDrawer } from './trigger-drawer.tsx'
import { UnjudgedDrawer } from './unjudged.tsx'

/** Alarm rules: what they monitor, whether they work, and their false alarms. */
export default function TriggerListPage() {
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const go = useGo()
  const [stuck, setStuck] = useState<string>()
  const [story, setStory] = useState<TriggerRow>()
  const mayEdit = useCan(updateTrigger)
  const isPlatform = useGroupType() === groupTypes.platform
  const list = useListPage(triggerList, { scope, defaultSort: '-updateTime' })
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const family = list.filters.family
  // Alarm names are loaded after a family is chosen; a filter with 200 options would be useless.
  const alarms = useCall(
    ruleBase,
    { query: { family: family ?? '', size: 200 } },
    { enabled: family !== undefined, staleMs: 3_600_000, quiet: true },
  )
  const counts = useCall(findTriggers, { query: { projectCode, size: 1 } }, { quiet: true })
  const copy = useAct(duplicateTrigger, { success: '已复制，副本处于停用状态' })
  const removal = useAct(deleteTrigger, { success: '已删除' })
  const turn = useAct(updateTrigger, { success: '已更改' })

  const flip = async (row: TriggerRow) => {
    const yes =
      !row.enabled ||
      (await confirmDanger({
        thing: `停用规则 ${row.name}`,
        consequence: row.openNow > 0 ? `未恢复的 ${row.openNow} 条告警随之解除，原因记为规则停用。` : '停用后不再判定。',
        verb: row.openNow > 0 ? `停用，解除 ${row.openNow} 条` : '停用规则',
        keep: '继续使用',
      }))
    if (!yes) return
    // Disabling a level 1 rule of the platform requires a reason.
    const reason =
      row.enabled && row.projectCode === null && row.levels.some((l) => l.level === 1)
        ? await askReason(`停用 ${row.name}`, '停用原因')
        : ''
    if (reason === undefined) return
    void turn.run({ params: { id: row.id }, body: { enabled: !row.enabled, version: row.version, reason: reason || undefined } })
  }
  const remove = async (row: TriggerRow) => {
    const yes = await confirmDanger({
      thing: `删除规则 ${row.name}`,
      consequence: row.openNow > 0 ? `未恢复的 ${row.openNow} 条告警随之解除。` : '已有的告警记录保留。',
      verb: '删除规则',
      keep: '不删除',
    })
    if (yes) void removal.run({ params: { id: row.id } })
  }
  /** Platform rules can be changed by the platform only. */
  const isFixed = (row: TriggerRow) => row.projectCode === null && !isPlatform
  const edit = (row: TriggerRow) => hrefOf('/reg2_createRegView', { id: row.id })
  const columns = triggerColumns({
    projectCode,
    families: (families.data?.list ?? []).map((f) => ({ value: f.key, label: f.name })),
    alarms: (alarms.data?.list ?? []).map((one) => ({
      value: one.alarmKey,
      label: family ? one.label : `${one.familyName} ${one.label}`,
    })),
    href: (row) => (mayEdit && !isFixed(row) ? edit(row) : undefined),
    onStory: setStory,
    onUnjudged: setStuck,
  })
  const c = counts.data?.counts
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '启用', value: c?.enabled, unit: '条' },
            {
              label: '从未判定',
              value: c?.neverEvaluated,
              unit: '条',
              remark: '没有设备能触发它',
              tone: c?.neverEvaluated ? 'warning' : undefined,
            },
            { label: '近 30 天未触发', value: c?.silent30d, unit: '条' },
            {
              label: `准确率低于 ${lowPrecision} %`,
              value: c?.imprecise,
              unit: '条',
              remark: '按误报标记计',
              tone: c?.imprecise ? 'danger' : undefined,
            },
          ]}
        />
      }
      left={
        <SidePanel
          title="设备类型"
          selected={list.filters.family}
          onSelect={(key) => list.setFilter('family', key)}
          all={{ title: '全部' }}
          nodes={(families.data?.list ?? []).map((f) => ({ key: f.key, title: f.name }))}
        />
      }
      actions={
        <Can call={createTrigger}>
          <Button type="primary" onClick={() => go('/reg2_createRegView')}>
            新建规则
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        selection={{
          unit: '条',
          disabled: isFixed,
          actions: (rows, clear) => <TriggerBatch rows={rows} projectCode={projectCode} onDone={clear} />,
        }}
        search={{ key: 'name', placeholder: '规则名称' }}
        emptyHint="没有符合条件的规则"
        actions={(row) => [
          // A site cannot edit a platform rule, but can add its own, which takes precedence.
          isFixed(row)
            ? { label: '另设', needs: createTrigger, href: hrefOf('/reg2_createRegView', { copy: row.id }) }
            : { label: '编辑', href: edit(row), needs: updateTrigger },
          {
            label: '试算',
            needs: 'rules.rehearse',
            href: hrefOf('/reg2_createRegView', { [isFixed(row) ? 'copy' : 'id']: row.id, at: 'rehearse' }),
          },
          { label: '版本', onClick: () => setStory(row) },
          {
            label: row.enabled ? '停用' : '启用',
            needs: withCode(updateTrigger, 'rules.enable'),
            onClick: () => flip(row),
            disabled: isFixed(row) && '平台规则，可复制为本项目的',
          },
          {
            label: '复制',
            needs: duplicateTrigger,
            onClick: () => copy.run({ params: { id: row.id }, body: projectCode === '*' ? {} : { projectCode } }),
          },
          !isFixed(row) && { label: '按此新建', needs: createTrigger, href: hrefOf('/reg2_createRegView', { copy: row.id }) },
          { label: '删除', danger: true, needs: deleteTrigger, disabled: isFixed(row) && '平台规则', onClick: () => remove(row) },
        ]}
      />
      <TriggerDrawer rule={story} onClose={() => setStory(undefined)} />
      <UnjudgedDrawer
        query={stuck === undefined ? undefined : { ruleId: stuck, projectCode: projectCode === '*' ? undefined : projectCode }}
        onClose={() => setStuck(undefined)}
      />
    </ListShell>
  )
}

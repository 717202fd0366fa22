import { PlusOutlined } from '@ant-design/icons'
import type { TeamRow } from '@zhugong/contract/labour/model'
import { createTeam, removeTeam, teamFigures, teamList, updateTeam } from '@zhugong/contract/labour/teams'
import { pickCorporations } from '@zhugong/contract/organisation/corporations'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, ratio, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'

/** Teams over all projects: where each works now, and its performance. */
export default function TeamListPage() {
  const scope = useProjectScope()
  const go = useGo()
  const dicts = useDicts('workerType')
  const list = useListPage(teamList, { scope, defaultSort: '-headcount' })
  const figures = useCall(teamFigures, { query: scope }, { quiet: true })
  const corps = useCall(pickCorporations, { query: {} }, { quiet: true })
  const remove = useAct(removeTeam, { success: '班组已删除' })
  const f = figures.data
  const columns: ColumnOf<typeof teamList>[] = [
    {
      key: 'teamName',
      width: 124,
      locked: true,
      sort: true,
      filter: 'text',
      value: (t) => <Link to={hrefOf('/teamSystem/info/basic', { id: t.id })}>{t.teamName}</Link>,
    },
    {
      key: 'teamLeaderName',
      width: 88,
      filter: 'text',
      value: (t) => t.teamLeaderName ?? <span className="tone-warning">未指定</span>,
    },
    {
      key: 'workType',
      width: 110,
      filter: 'tree-cascader',
      tree: dicts.tree('workerType'),
      value: (t) => t.workTypeName,
    },
    {
      key: 'corpCode',
      width: 148,
      filter: 'single',
      options: (corps.data?.list ?? []).map((c) => ({ value: c.code, label: c.name })),
      value: (t) => t.corpName,
    },
    {
      key: 'projectName',
      width: 176,
      value: (t) => (t.exitTime ? <Tag>已于 {t.exitTime} 退场</Tag> : t.projectName),
    },
    {
      key: 'headcount',
      width: 104,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (t) => (t.headcount === 0 ? <span className="zg-2">空闲</span> : t.headcount),
    },
    {
      key: 'attendRate',
      width: 116,
      align: 'right',
      value: (t) => <Rate share={t.attendRate} low={0.7} />,
    },
    { key: 'steadiness', width: 100, align: 'right', value: (t) => <Rate share={t.steadiness} low={0.6} /> },
    {
      key: 'projectCount',
      width: 100,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      hidden: true,
      value: (t) => t.projectCount,
    },
    {
      key: 'badCount',
      width: 76,
      align: 'right',
      filter: 'numeric-range',
      value: (t) => (t.badCount ? <span className="tone-danger">{t.badCount}</span> : 0),
    },
    { key: 'entryTime', width: 104, hidden: true, sort: true, value: (t) => day(t.entryTime) },
    { key: 'exitTime', width: 104, hidden: true, sort: true, filter: 'date-range', value: (t) => day(t.exitTime) },
  ]
  const drop = (t: TeamRow) =>
    remove.afterRequesting(
      {
        thing: `删除班组 ${t.teamName}`,
        consequence: '从未有人员的班组可以删除；用过的只能退场。',
        verb: '删除班组',
        keep: '保留',
      },
      { params: { id: t.id } },
    )
  return (
    <ListShell
      actions={
        <Can call={createTeam}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/teamEdit')}>
            新建班组
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '班组数', value: thousands(f?.total), unit: '个', href: '/teamSystem' },
            { label: '在场班组', value: thousands(f?.present), unit: '个', href: '/teamSystem?state=present' },
            { label: '空闲班组', value: thousands(f?.idle), unit: '个', remark: '可调往新项目', href: '/teamSystem?state=idle' },
            {
              label: '关注班组',
              value: thousands(f?.care),
              unit: '个',
              remark: '影响期内有不良记录',
              tone: f?.care ? 'warning' : undefined,
              href: '/teamSystem?state=care',
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="个"
        search={{ key: 'q', placeholder: '班组、班组长' }}
        onRow={(t) => go('/teamSystem/info/basic', { id: t.id })}
        emptyHint="单位进场后，从“新建班组”开始"
        actions={(t) => [
          { label: '编辑', href: hrefOf('/teamEdit', { id: t.id }), needs: updateTeam },
          { label: '看人员', href: hrefOf('/personList', { stationed: '1', teamId: t.id }) },
          t.headcount === 0 && { label: '删除', danger: true, needs: removeTeam, onClick: () => drop(t) },
        ]}
      />
    </ListShell>
  )
}

/** Percentage, coloured if below `low`; `--` without a value. */
function Rate({ share, low }: { share: number | null; low: number }) {
  if (share === null) return <span className="zg-2">--</span>
  return <span className={share < low ? 'tone-warning' : ''}>{ratio(share)}</span>
}

import { PlusOutlined } from '@ant-design/icons'
import { createLaborBlack, removeLaborBlack } from '@zhugong/contract/labour/black'
import { blackStates } from '@zhugong/contract/labour/black-codes'
import { laborBlackFigures, laborBlackList } from '@zhugong/contract/labour/black-lists'
import { teamForm } from '@zhugong/contract/labour/teams'
import { Button } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Notice } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { personColumns } from './black-columns.tsx'
import './black.css'

/** People not allowed on this site, and entries proposed by the site. */
export default function LaborBlackPage() {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="黑名单按项目查看，各项目的汇总在“劳务黑名单汇总”" />
  return <OfProject key={projectCode} projectCode={projectCode} />
}

const viewWords = { effective: '生效中', own: '本项目提出' }

function OfProject({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const dicts = useDicts('blacklistReason', 'blacklistScope', 'misconductState')
  const scope = { projectCode }
  const list = useListPage(laborBlackList, { scope, defaultSort: '-startDate', defaultFilters: { view: 'effective' } })
  const figures = useCall(laborBlackFigures, { query: scope }, { quiet: true })
  const projects = useCall(teamForm, { query: {} }, { quiet: true })
  const remove = useAct(removeLaborBlack, { success: '草稿已删除' })
  const f = figures.data
  return (
    <ListShell
      actions={
        <Can call={createLaborBlack}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/laborBlackEdit')}>
            提出列入
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '对本项目生效', value: thousands(f?.effective), unit: '人', href: '/laborBlack?view=effective' },
            { label: '本项目提出', value: thousands(f?.own), unit: '条', href: '/laborBlack?view=own' },
            { label: '待审核', value: thousands(f?.waiting), unit: '条', href: '/laborBlack?status=1' },
            {
              label: '本月拦截',
              value: thousands(f?.hitsThisMonth),
              unit: '次',
              remark: '进场被拒与门禁通行',
              tone: f?.hitsThisMonth ? 'danger' : undefined,
            },
          ]}
        />
      }
      above={
        f !== undefined &&
        f.inPlace > 0 && (
          <Notice
            tone="danger"
            actions={<Button onClick={() => go('/personList', { stationed: '1', missing: 'blacklist' })}>核对在场人员</Button>}
          >
            名单内 {f.inPlace} 人仍登记在场：已自动暂停作业、收回门禁，请办理退场。
          </Notice>
        )
      }
    >
      <DataTable
        list={list}
        columns={personColumns(dicts, projects.data?.projects ?? [], { deciding: false })}
        unit="条"
        search={{ key: 'q', placeholder: '姓名、证件号码' }}
        onRow={(e) => go('/LaborBlackDetail', { id: e.id })}
        rowClass={(e) => (e.effective ? '' : 'zg-2')}
        filterWords={{ view: { title: '显示', words: viewWords } }}
        emptyHint="还没有对本项目生效的记录：发生严重违规时从“提出列入”开始，经告知和认定后生效"
        actions={(e) => [
          { label: '查看', href: hrefOf('/LaborBlackDetail', { id: e.id }) },
          e.own &&
            ['0', '3'].includes(e.status) && { label: '修改', href: hrefOf('/laborBlackEdit', { id: e.id }), needs: createLaborBlack },
          e.own &&
            e.status === blackStates.draft && {
              label: '删除',
              danger: true,
              needs: removeLaborBlack,
              onClick: () =>
                void remove.afterRequesting(
                  { thing: `删除 ${e.name} 的草稿`, consequence: '草稿未提交，删除后不留记录，操作日志除外。', verb: '删除', keep: '保留' },
                  { params: { id: e.id }, query: { projectCode: '*' } },
                ),
            },
        ]}
      />
    </ListShell>
  )
}

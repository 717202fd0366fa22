import type { SheetRow } from '@zhugong/contract/sheets/calls'
import { type SheetType, sheetStates } from '@zhugong/contract/sheets/moves'
import { type PartySeat, partySeats } from '@zhugong/contract/sheets/seats'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = { list: '/jgt/manualsheet', detail: '/jgt/manualsheet/details', edit: '/jgt/manualsheet/edit' } as const
export const anyProject = { projectCode: '*' } as const

const tones: Readonly<Record<string, Tone>> = { 0: 'neutral', 1: 'warning', 2: 'running', 3: 'fine', 4: 'neutral' }

/** The state of a sheet, and whether it was signed on paper. */
export function SheetStateTag({ row }: { row: Pick<SheetRow, 'state' | 'stateName' | 'onPaper'> }) {
  return (
    <>
      <Tag tone={tones[row.state]}>{row.stateName}</Tag>
      {row.onPaper && <Tag tone="neutral">补录</Tag>}
    </>
  )
}

const partyTones: Readonly<Record<SheetRow[PartySeat], { text: string; tone: Tone }>> = {
  open: { text: '未签', tone: 'warning' },
  signed: { text: '已签', tone: 'fine' },
  refused: { text: '拒签', tone: 'danger' },
}
const shortParties: Readonly<Record<PartySeat, string>> = { owner: '建设', contractor: '施工', supervisor: '监理' }

/** How the three parties stand to a submitted sheet. */
export function Parties({ row }: { row: Pick<SheetRow, PartySeat | 'state'> }) {
  if (row.state === sheetStates.draft) return <span className="zg-2">尚未提交</span>
  if (row.state === sheetStates.void) return <span className="zg-2">已作废</span>
  return (
    <span className="sheet-parties">
      {(Object.keys(partySeats) as PartySeat[]).map((seat) => {
        const { text, tone } = partyTones[row[seat]]
        return (
          <span key={seat} className={`dot tone-${tone}`} title={`${partySeats[seat]}${text}`}>
            {shortParties[seat]}
            <small>{text}</small>
          </span>
        )
      })}
    </span>
  )
}

/** What a document of each type usually says, with blanks to fill in. */
export const templates: Readonly<Record<SheetType, string>> = {
  102: '于检查当日向建设、施工、监理单位进行安全、质量监督交底，内容包括：一、监督依据与监督方式；二、各方主体责任和项目负责人、总监理工程师到岗要求；三、危险性较大分部分项工程清单及专项方案报审；四、监督抽查重点和整改时限要求。各方表示知悉并无异议。',
  105: '抽查施工单位质量行为：质量管理体系和人员配备情况：    ；施工方案及技术交底：    ；材料进场检验和见证取样：    ；隐蔽工程验收记录：    ；实体质量抽测：    。',
  106: '抽查监理单位质量行为：总监理工程师到岗和监理人员配备：    ；监理规划、细则编制：    ；旁站、巡视、平行检验记录：    ；材料报验和工序验收签认：    ；监理通知及回复闭合情况：    。',
  208: '因该项目存在    问题，经研究决定对相关单位负责人进行约谈。请被约谈人按时到场，并携带整改情况书面材料。约谈内容：一、存在的主要问题；二、原因分析；三、整改措施和时限。',
  304: '抽查已完成分户验收的住宅    户，重点抽查室内净高、净距、门窗安装、防水、栏杆高度、给排水和电气安装。抽查结果与分户验收记录    （一致/不一致），具体情况：    。',
  305: '对工程竣工验收的组织形式、验收程序、执行验收标准情况进行现场监督。验收组由建设单位组织，勘察、设计、施工、监理单位参加。验收组织形式和程序    （符合/不符合）要求，工程实体抽查情况：    。',
  306: '本工程自办理质量监督手续起，共实施监督检查    次，发出整改通知    份，均已整改完毕。各方责任主体质量行为：    ；工程实体质量：    ；竣工验收监督情况：    ；监督意见：    。',
}

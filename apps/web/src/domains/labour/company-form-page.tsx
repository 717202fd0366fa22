import { CheckCircleFilled } from '@ant-design/icons'
import { checkCreditCode, normalizeCreditCode } from '@zhugong/contract/kit/checks'
import { getEnterprise } from '@zhugong/contract/labour/register'
import { createCorporation, findCorporation } from '@zhugong/contract/organisation/corporations'
import { Input } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { DirectoryHits } from '../organisation/public.tsx'
import { CompanyFields } from './company-fields.tsx'

const { Field, useValue } = formOf(createCorporation)

/** Creates a company. Asks for the code first and opens the existing company if the code is known. */
export default function CompanyFormPage() {
  const page = usePage()
  const query = usePageQuery()
  const given = query.get('corpCode') ?? undefined
  // Prefill from the external register; its missing values are entered by hand.
  const from = query.get('from')
  const register = useCall(getEnterprise, { query: { id: from ?? '' } }, { quiet: true, enabled: from !== null })
  const draft = Object.fromEntries(Object.entries(register.data?.draft ?? {}).filter(([, value]) => value !== null))
  const act = useAct(createCorporation, {
    success: '企业档案已建立',
    onDone: ({ corpCode }) => {
      page.leave(hrefOf('/companySystem/info/basic', { corpCode }))
    },
  })
  return (
    <FormPage
      act={act}
      title="新建企业"
      remark="先填统一社会信用代码"
      loading={from !== null && register.isPending}
      initial={{ corpCode: given, legalManIdCardType: '01', capitalCurrencyType: 'CNY', corpKind: [], ...draft }}
      barRemark="名录中有的企业可直接填入，其余内容按营业执照填写"
    >
      <CompanyFields>
        <CodeField />
        <DirectoryHits />
      </CompanyFields>
    </FormPage>
  )
}

function CodeField() {
  const typed = normalizeCreditCode(useValue('corpCode') ?? '')
  const fine = typed.length === 18 && checkCreditCode(typed) === undefined
  const known = useCall(findCorporation, { query: { corpCode: typed } }, { enabled: fine, quiet: true })
  const found = fine ? known.data : undefined
  return (
    <>
      <Field
        name="corpCode"
        label="统一社会信用代码"
        help={
          found && !found.found ? (
            <span className="tone-fine">
              <CheckCircleFilled /> 代码正确，库中还没有
            </span>
          ) : undefined
        }
      >
        <Input autoFocus maxLength={22} />
      </Field>
      {found?.found && (
        <div className="zg-span-all zg-below-12">
          <Notice
            tone="warning"
            actions={found.visible ? <Link to={hrefOf('/companySystem/info/basic', { corpCode: typed })}>打开档案</Link> : null}
          >
            库中已有：{found.corpName}
            {!found.visible && '，由其他单位登记，参与您的项目后即可查看'}
          </Notice>
        </div>
      )}
    </>
  )
}

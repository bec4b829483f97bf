from tests.sdk.document import EXAMPLES, example, schemas
from tests.sdk.stub import Stub

ID = EXAMPLES["uuid"]


class TestReply:
    def test_is_a_comment_on_a_comment(self):
        stub = Stub(example(schemas()["ProposalComment"]))

        stub.client.governance.reply(ID, "c-1", "Why?", kind="question")

        assert stub.bodies == [{"body": "Why?", "kind": "question", "parent_id": "c-1"}]
